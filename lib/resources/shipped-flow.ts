import { OUTWARD, PRIVATE, UNTRUSTED } from "@/lib/access/model/flow";
import { flowRuleInput } from "@/lib/resources/flow-rule";
import { labelInput } from "@/lib/resources/label";

// The labels, the class and the flow rule that every installation begins with (docs/reference/decision.md#shipped-flow).

/** Minutes for which a caller holds a shipped label: a day. */
const HOLD_MINUTES = 1440;

/** The labels of a new installation. */
export const SHIPPED_LABELS = [
  {
    name: PRIVATE,
    description: "The caller has read data of people or of the company.",
    scope: "caller",
    holdMinutes: HOLD_MINUTES,
  },
  {
    name: UNTRUSTED,
    description: "The caller has read text that somebody outside may have written, such as a web page or an e-mail.",
    scope: "caller",
    holdMinutes: HOLD_MINUTES,
  },
].map((label) => labelInput.parse(label));

/** The rule of a new installation. It is inactive until an admin activates it. */
export const TRIFECTA = flowRuleInput.parse({
  name: "trifecta",
  description: "After private data and untrusted text, tools that send data out are hidden.",
  active: false,
  when: [PRIVATE, UNTRUSTED],
  restrict: [{ is: OUTWARD }],
});
