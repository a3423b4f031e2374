import { describe, expect, test } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import type { Configuration, Policy } from "@/lib/access/model/configuration";
import { makePlan } from "@/lib/access/decide/plan";
import { resolve } from "@/lib/access/decide/resolve";
import { judgeGroupSet } from "@/lib/access/compile/group-sets";
import { configurationOf } from "@/bench/support/workload";
import { requestOf } from "@/lib/access/model/request";

/** One tool in `count` groups. One policy per group grants it to the caller of its number. */
function inGroups(count: number): Configuration {
  const base = configurationOf({ tools: 1, groups: 1, policies: 1 });
  const [group, policy, tool] = [base.groups[0]!, base.policies[0]!, base.tools[0]!];
  const names = Array.from({ length: count }, (_, n) => `g-${String(n).padStart(2, "0")}`);
  return {
    ...base,
    tools: [{ ...tool, groups: names }],
    groups: names.map((name) => ({ ...group, name, selectors: [] })),
    policies: names.map((name): Policy => ({
      ...policy,
      name,
      effect: "allow",
      matchers: [{ claim: "groups", operator: "contains", value: name, ignoreCase: false }],
      groups: [name],
    })),
  };
}

describe.each([1, 2, 26, 27, 32, 33, 64])("a tool in %i groups", (count) => {
  test("lists each caller's groups, whatever other callers received from the same index before", () => {
    const configuration = inGroups(count);
    const index = compile(configuration);
    const names = configuration.groups.map(({ name }) => name);
    const through = (groups: readonly string[]) => resolve(index, requestOf({ groups }), 0).tools[0]?.groups;
    for (let round = 0; round < 2; round += 1) {
      for (const name of names) expect(through([name])).toEqual([name]);
      expect(through(names)).toEqual(names);
      expect(through(names.slice(1))).toEqual(names.length === 1 ? undefined : names.slice(1));
    }
  });
});

test("callers who see a tool through the same groups, of at most 26, share one object", () => {
  const index = compile(inGroups(26));
  const [one, two] = ["a", "b"].map((sub) => resolve(index, requestOf({ sub, groups: ["g-00", "g-25"] }), 0).tools[0]);
  expect(one?.groups).toEqual(["g-00", "g-25"]);
  expect(two).toBe(one);
});

test("a tool's groups are judged once per decision, and anew in the next", () => {
  const index = compile(inGroups(2));
  const plans = [["g-00"], ["g-00", "g-01"]].map((groups) => makePlan(index, requestOf({ groups }), 0));
  const [first, second] = plans.map((plan) => ({ ...judgeGroupSet(plan, 0) }));
  expect([first?.through, second?.through]).toEqual([0b01, 0b11]);
  plans[1]!.passing.fill(0);
  expect(judgeGroupSet(plans[1]!, 0)).toEqual(second);
});

test("a tool keeps sixteen entries at most, whatever groups its callers have", () => {
  const configuration = inGroups(20);
  const index = compile(configuration);
  for (const { name } of configuration.groups) resolve(index, requestOf({ groups: [name] }), 0);
  const { resolved, others } = index.memory.entries;
  expect([resolved[0]?.groups, others[0]?.length]).toEqual([["g-00"], 15]);
});

test("of a tool that is stored twice only one counts, with an error", () => {
  const { tools, ...rest } = configurationOf({ tools: 1, groups: 1, policies: 0 });
  const index = compile({ ...rest, tools: [...tools, ...tools] });
  expect(index.tools.all).toEqual(tools);
  expect(index.errors).toEqual([`tool \`${tools[0]!.id}\` is stored twice: only one is used`]);
});
