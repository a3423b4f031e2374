import { describe, expect, test } from "vitest";
import { requestOf } from "@/lib/access/model/request";
import { compile } from "@/lib/access/compile/compile";
import { atOnce } from "@/lib/access/model/parts";
import { granteeOf, grantsFor, type Grant, type Grantee } from "@/lib/access/explain/grant";
import type { ResolveRequest } from "@/lib/access/decide/resolution";
import { configurationOf } from "@/test/access/case-configuration";
import { condition, everyone } from "@/test/access/explained";

const NOW = Date.UTC(2026, 2, 31, 12);
const claims = { iss: "https://idp.example", sub: "bob" };
const BOB = granteeOf(claims) as Grantee;

/** The grants that give Bob `x:t`, which is in the groups `wide` (with two other tools) and `narrow` (with one). */
function grantsTo(
  policies: readonly object[],
  request: Partial<ResolveRequest> = {},
  tool: object = {},
  isLate = () => false,
  other: object = {},
): readonly Grant[] {
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
        { id: "x:c", groups: [], ...other },
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
  return atOnce(grantsFor(compile(configuration), { ...requestOf({}), claims, ...request }, BOB, "x:t", NOW, isLate));
}

const groupsOf = (grants: readonly Grant[]) => grants.map(({ policy }) => policy.groups[0]);

describe("grants", () => {
  test("of a search that runs late are those found so far", () => {
    let tested = 0;
    const isLate = () => (tested += 1) > 1;
    expect(groupsOf(grantsTo([], {}, {}, isLate))).toEqual(["only-t"]);
  });
  test("are policies for this caller alone: the tool alone first, then its groups with what each brings", () => {
    const grants = grantsTo([]);
    expect(grants.map(({ policy, brings }) => [policy.groups, brings])).toEqual([
      [["only-t"], []],
      [["narrow"], ["x:a"]],
      [["wide"], ["x:a", "x:b"]],
    ]);
    expect(grants[0]?.group).toMatchObject({ name: "only-t", selectors: [], include: [{ tool: "x:t" }] });
    expect(grants.slice(1).map(({ group }) => group)).toEqual([null, null]);
    // The names say what the policy gives: the tool, or a group with other tools.
    expect(grants.map(({ policy: { name, description } }) => [name, description])).toEqual([
      ["t-for-bob", "Grants x:t to bob."],
      ["narrow-for-bob", "Grants group narrow to bob."],
      ["wide-for-bob", "Grants group wide to bob."],
    ]);
    for (const { policy, remaining } of grants) {
      expect(policy).toMatchObject({ effect: "allow", everyone: false, matchers: BOB.matchers });
      expect(remaining).toEqual([]);
    }
  });

  test("prefer a wide group of tools that only read to a narrow group with a side effect", () => {
    const grants = grantsTo([], {}, {}, undefined, { groups: ["narrow"], hasSideEffects: true });
    expect(groupsOf(grants)).toEqual(["only-t", "wide", "narrow"]);
  });

  test("begin with what was requested, and are none when one of the tool's groups is denied", () => {
    expect(grantsTo([everyone("d", ["narrow"], { effect: "deny" })])).toEqual([]);
    const [first, ...others] = grantsTo([], { group: ["wide"] });
    expect([first?.policy.groups, first?.remaining]).toEqual([["wide"], []]);
    expect(others.flatMap(({ remaining }) => remaining.map(({ kind }) => kind))).toEqual(["request", "request"]);
  });

  test("give a tool that is in no group, alone", () => {
    expect(groupsOf(grantsTo([], {}, { groups: [] }))).toEqual(["only-t"]);
  });

  test("are none when a deny applies, or the caller already has the tool", () => {
    expect(grantsTo([everyone("d", ["*"], { effect: "deny" })])).toEqual([]);
    expect(grantsTo([everyone("p", ["wide"])])).toEqual([]);
  });

  test("are none when grants are not the reason", () => {
    expect(grantsTo([everyone("p", ["wide"])], { machine: "m" })).toEqual([]);
    expect(grantsTo([everyone("p", ["wide"])], {}, { enabled: false })).toEqual([]);
  });

  test("list the changes that are still needed", () => {
    const [grant] = grantsTo([], { machine: "m" });
    expect(grant?.policy.groups).toEqual(["only-t"]);
    expect(grant?.remaining.map(({ kind }) => kind)).toEqual(["state"]);
  });

  test("lift argument conditions of allows, but not of a deny", () => {
    const bounded = everyone("p", ["wide"], { arguments: [condition] });
    expect(grantsTo([bounded])[0]?.policy).toMatchObject({ groups: ["only-t"], arguments: [] });
    expect(grantsTo([bounded, everyone("d", ["*"], { effect: "deny", arguments: [condition] })])).toEqual([]);
  });

  test("have policies with unique names", () => {
    expect(grantsTo([everyone("t-for-bob", ["none"], { active: false })])[0]?.policy.name).toBe("t-for-bob-2");
  });
});

test("a caller without an identity is matched by its string and boolean claims; without any it has no grants", () => {
  const matchers = granteeOf({ team: "support", roles: ["a"], temp: true })?.matchers;
  expect(matchers?.map(({ claim, value }) => [claim, value])).toEqual([
    ["team", "support"],
    ["temp", true],
  ]);
  expect(granteeOf({ roles: ["a"] })).toBeNull();
});
