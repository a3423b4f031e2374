import { expect, test } from "vitest";
import { caseConfiguration, find, inWords } from "@/test/access/findings-of";

const KINDS = ["flow_label_unknown", "flow_never_applies", "flow_restricts_nothing", "flow_hides_everything"] as const;

const WORLD = {
  sources: [{ name: "x" }],
  tools: [
    { id: "x:mail", flow: { raises: ["private"], is: [] } },
    { id: "x:send", flow: { raises: [], is: ["outward"] } },
  ],
};

const LABELS = ["private", "unraised"].map(
  (name) => ({ name, description: "", scope: "caller", holdMinutes: null }) as const,
);

/** What is found in one flow rule: kind, part and text. */
function found(rule: object) {
  const flows = [{ name: "guard", when: ["private"], restrict: [{ is: "outward" }], ...rule }];
  return inWords(find({ ...caseConfiguration({ ...WORLD, flows }), labels: LABELS }, ...KINDS)).map(
    ({ kind, what, text }) => [kind, what, text],
  );
}

test("a rule whose labels are raised and that restricts some tools has no finding", () => {
  expect(found({})).toEqual([]);
});

test("an unknown label and a label that no tool raises are found", () => {
  expect(found({ when: ["private", "nowhere", "unraised"] })).toEqual([
    ["flow_label_unknown", "nowhere", "`guard` names the label `nowhere`, which does not exist."],
    ["flow_never_applies", "unraised", "`guard` applies only to callers that hold `unraised`, which no tool raises."],
  ]);
});

test("a rule that restricts no tool or hides every tool is found", () => {
  expect(found({ restrict: [{ is: "inward" }] })).toEqual([
    ["flow_restricts_nothing", "", "`guard` restricts no tool of the catalogue."],
  ]);
  const everything = { restrict: [{ tool: "x:mail" }, { selector: { name: "send" } }] };
  expect(found(everything)).toEqual([
    ["flow_hides_everything", "", "`guard` hides all 2 tools from callers that hold its labels."],
  ]);
  expect(found({ ...everything, effect: "approve" })).toEqual([]);
});

test("an inactive rule has no finding", () => {
  expect(found({ active: false, when: ["nowhere"] })).toEqual([]);
});
