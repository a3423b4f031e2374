import { expect, test } from "vitest";
import { ruledReasonOf, type RefusedRow } from "@/components/executions/reason-words";

const ROW: RefusedRow = {
  asked: "x:t",
  reason: null,
  code: null,
  attempts: 1,
  policies: ["one", "two"],
  flowRules: ["trifecta"],
};

test.each<[string, string, "policy" | "flow", readonly string[]]>([
  ["denied_by_policy", "Refused by a policy: ", "policy", ["one", "two"]],
  ["flow_restricted", "Hidden by a flow rule: ", "flow", ["trifecta"]],
  ["arguments_refused by two", "Arguments refused by ", "policy", ["two"]],
])("the words of %s go on with the rules that refused the call", (reason, words, kind, names) => {
  expect(ruledReasonOf({ ...ROW, reason })).toEqual({ words, kind, names });
});

test.each([
  ["not_in_granted_group", "Not in a granted group"],
  ["arguments_refused", "Arguments refused"],
  ["rate of agent", "Limit reached: call rate of the agent"],
  [null, "—"],
])("%s names no rule: the row's policies did not refuse the call", (reason, words) => {
  expect(ruledReasonOf({ ...ROW, reason })).toMatchObject({ words, names: [] });
});

test("a row from before rules were stored has the reason alone", () => {
  const row = { ...ROW, policies: [], flowRules: [] };
  expect(ruledReasonOf({ ...row, reason: "flow_restricted" })).toMatchObject({
    words: "Hidden by a flow rule",
    names: [],
  });
});
