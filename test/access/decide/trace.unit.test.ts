import { expect, test } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import { trace } from "@/lib/access/explain/explain";
import { requestOf } from "@/lib/access/model/request";
import { configurationOf } from "@/test/access/case-configuration";

const role = { claim: "role", operator: "equals", value: "a" };
const condition = { claim: "n", operator: "lte", value: 5 };
const index = compile(
  configurationOf({
    file: "trace",
    name: "",
    configuration: { apiVersion: "quartermaster/v1" },
    stored: {
      sources: [{ name: "x" }],
      tools: [{ id: "x:t", groups: ["g"] }],
      groups: [{ name: "g" }, { name: "broken", selectors: [{ name: "*" }, { name: "regex:(" }] }],
      policies: [
        { name: "on", matchers: [role], groups: ["g"], arguments: [condition] },
        { name: "off", matchers: [role], groups: ["g"], active: false },
        { name: "over", effect: "deny", matchers: [role], groups: ["g"], validUntil: "2026-01-01T00:00:00Z" },
      ],
    },
  }),
);
const { policies, groups, errors } = trace(index, requestOf({ role: "a" }), Date.UTC(2026, 5, 1));

test("a policy that does not apply shows why, and no matchers: none was evaluated", () => {
  expect(policies.map(({ name, skipped, matched, matchers }) => ({ name, skipped, matched, matchers }))).toEqual([
    { name: "off", skipped: "inactive", matched: false, matchers: [] },
    {
      name: "on",
      skipped: null,
      matched: true,
      matchers: [{ claim: "role", operator: "equals", expected: "a", actual: "a", outcome: "match", held: true }],
    },
    { name: "over", skipped: "expired", matched: false, matchers: [] },
  ]);
});

test("a policy shows its part in the decision, conditions on arguments included", () => {
  expect(
    policies.map(({ name, effect, priority, groups: names, hasArguments }) => [
      name,
      effect,
      priority,
      names,
      hasArguments,
    ]),
  ).toEqual([
    ["off", "allow", 0, ["g"], false],
    ["on", "allow", 0, ["g"], true],
    ["over", "deny", 0, ["g"], false],
  ]);
});

test("a group whose stored pattern does not compile is empty and says which selector", () => {
  const error = expect.stringMatching(/^group `broken`, selector 2: name: not a valid RE2 pattern/);
  expect(groups.find(({ name }) => name === "broken")).toMatchObject({ members: 0, error });
  expect(groups.find(({ name }) => name === "g")).toMatchObject({ members: 1, error: null });
  expect(errors).toEqual([error]);
});
