import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { requestOf } from "@/bench/support/workload";
import { compile } from "@/lib/access/compile/compile";
import { conditionsOf } from "@/lib/access/decide/arguments";
import type { Policy } from "@/lib/access/model/configuration";
import { explain } from "@/lib/access/explain/explain";
import { smallestGrant, type Grant } from "@/lib/access/explain/grant";
import type { ResolveRequest } from "@/lib/access/decide/resolution";
import { visibleNumbers } from "@/lib/access/decide/resolve";
import { configurationOf } from "@/test/access/case-configuration";
import { condition, everyone } from "@/test/access/explained";
import { worlds } from "@/test/access/worlds";

const NOW = Date.UTC(2026, 2, 31, 12);
const BOB = { issuer: "https://idp.example", subject: "bob" };
const claims = { iss: BOB.issuer, sub: BOB.subject };

/** The grant that gives Bob `x:t`, which is in the groups `wide` (with two other tools) and `narrow` (with one). */
function grantTo(policies: readonly object[], request: Partial<ResolveRequest> = {}, tool: object = {}): Grant | null {
  const configuration = configurationOf({
    file: "grant",
    name: "",
    configuration: { apiVersion: "quartermaster/v1" },
    stored: {
      sources: [{ name: "x" }],
      tools: [
        { id: "x:t", groups: ["wide", "narrow"], ...tool },
        { id: "x:a", groups: ["wide", "narrow"] },
        { id: "x:b", groups: ["wide"] },
      ],
      groups: [{ name: "wide" }, { name: "narrow" }],
      policies,
      machines: [
        {
          name: "m",
          initial: "a",
          states: [{ name: "a" }, { name: "b" }],
          rules: [{ tool: "x:t", availableIn: ["b"] }],
        },
      ],
    },
  });
  return smallestGrant(compile(configuration), { ...requestOf({}), claims, ...request }, BOB, "x:t", NOW);
}

describe("the smallest grant", () => {
  test("is a policy for this caller alone, over the smallest group with the tool, and lists the other tools it brings", () => {
    const grant = grantTo([]);
    expect(grant?.policy).toMatchObject({
      name: "t-for-bob",
      effect: "allow",
      everyone: false,
      matchers: [
        { claim: "iss", operator: "equals", value: BOB.issuer },
        { claim: "sub", operator: "equals", value: BOB.subject },
      ],
      groups: ["narrow"],
    });
    expect(grant?.brings).toEqual(["x:a"]);
    expect(grant?.remaining).toEqual([]);
  });

  test("uses a larger group when the smallest was not requested, and none when one of the tool's groups is denied", () => {
    const denied = everyone("d", ["narrow"], { effect: "deny" });
    expect(grantTo([denied])).toBeNull();
    expect(grantTo([], { group: ["wide"] })?.policy.groups).toEqual(["wide"]);
  });

  test("is null when a deny applies, the tool is in no group, or the caller already has it", () => {
    expect(grantTo([everyone("d", ["*"], { effect: "deny" })])).toBeNull();
    expect(grantTo([], {}, { groups: [] })).toBeNull();
    expect(grantTo([everyone("p", ["wide"])])).toBeNull();
  });

  test("is null when grants are not the reason", () => {
    expect(grantTo([everyone("p", ["wide"])], { machine: "m" })).toBeNull();
    expect(grantTo([everyone("p", ["wide"])], {}, { enabled: false })).toBeNull();
  });

  test("lists the changes that are still needed", () => {
    const grant = grantTo([], { machine: "m" });
    expect(grant?.policy.groups).toEqual(["narrow"]);
    expect(grant?.remaining.map(({ kind }) => kind)).toEqual(["state"]);
  });

  test("lifts argument conditions of allows, but not of a deny", () => {
    const bounded = everyone("p", ["wide"], { arguments: [condition] });
    expect(grantTo([bounded])?.policy).toMatchObject({ groups: ["narrow"], arguments: [] });
    expect(grantTo([bounded, everyone("d", ["*"], { effect: "deny", arguments: [condition] })])).toBeNull();
  });

  test("has a unique policy name", () => {
    expect(grantTo([everyone("t-for-bob", ["none"], { active: false })])?.policy.name).toBe("t-for-bob-2");
  });
});

test("in any world a grant passes the policy and group steps, and removes no tool", () => {
  let granted = 0;
  fc.assert(
    fc.property(worlds, fc.nat({ max: 100 }), ({ configuration, request, now }, at) => {
      const index = compile(configuration);
      const tool = configuration.tools[at % Math.max(configuration.tools.length, 1)];
      if (tool === undefined) return;
      const asked = { ...request, claims: { ...request.claims, iss: BOB.issuer, sub: BOB.subject } };
      const grant = smallestGrant(index, asked, BOB, tool.id, now);
      if (grant === null) return;
      granted += 1;
      const after = compile({ ...configuration, policies: [...configuration.policies, grant.policy] as Policy[] });
      const explanation = explain(after, asked, tool.id, now);
      expect(explanation?.steps.slice(0, 2).map(({ passed }) => passed)).toEqual([true, true]);
      expect(explanation?.visible).toBe(grant.remaining.length === 0);
      expect(conditionsOf(after, asked, tool.id, now)).toEqual([]);
      const has = new Set(visibleNumbers(after, asked, now));
      expect(visibleNumbers(index, asked, now).filter((number) => !has.has(number))).toEqual([]);
    }),
    { seed: 6, numRuns: 400 },
  );
  expect(granted).toBeGreaterThan(20);
});
