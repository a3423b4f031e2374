import { z } from "zod";
import { className } from "@/lib/resources/parts/flow";
import { description, meta, slug, toolId } from "@/lib/resources/parts/name";
import { ruleMode } from "@/lib/resources/parts/rule-mode";
import { selectorInput } from "@/lib/resources/parts/selector";

const restriction = z
  .strictObject({
    is: className.nullable().default(null),
    tool: toolId.nullable().default(null),
    selector: selectorInput.nullable().default(null),
  })
  .refine((value) => Object.values(value).filter((part) => part !== null).length === 1, {
    path: ["is"],
    message: "state exactly one of `is`, `tool` and `selector`",
  });

const fields = {
  name: slug,
  description: description.default(""),
  active: z.boolean().default(true),
  mode: ruleMode,
  when: z.array(slug).min(1, "name at least one label").max(20),
  restrict: z.array(restriction).min(1, "restrict at least one class, tool or selector").max(100),
  effect: z.enum(["hide", "approve"]).default("hide"),
};

/** A flow rule: restricts tools for callers that hold labels (docs/reference/decision.md#flow). */
export const flowRuleInput = z.strictObject(fields);

/** A stored flow rule. */
export const flowRuleRow = z.object({ ...fields, ...meta });
