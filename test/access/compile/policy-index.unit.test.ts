import { describe, expect, test } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import type { JsonObject } from "@/lib/access/model/configuration";
import type { Matcher } from "@/lib/access/model/matcher";
import { has, NOW, withPolicies, type Given } from "@/test/access/findings-of";

const indexOf = (...policies: readonly Given[]) => compile(withPolicies(...policies)).policyIndex;
const asks = (...matchers: readonly Partial<Matcher>[]): Given => ({ matchers });
const deny = (...matchers: readonly Partial<Matcher>[]): Given => ({ effect: "deny", matchers });

describe("the index tests only policies that claims can satisfy", () => {
  const namesOf = (index: ReturnType<typeof indexOf>, claims: JsonObject) =>
    index.candidates(claims).map(({ policy }) => policy.name);

  test.each<[Given, readonly JsonObject[], readonly JsonObject[]]>([
    [asks(has("role", "equals", "a")), [{ role: "a" }, { role: ["b", "a"] }], [{}, { role: "b" }, { role: "b a" }]],
    [asks(has("n", "equals", "5")), [{ n: 5 }, { n: "5" }], [{ n: 50 }, { n: null }]],
    [asks(has("role", "in", "a,b")), [{ role: "a" }, { role: ["b"] }], [{ role: "c" }, { role: [] }]],
    [asks(has("role", "contains_any", ["a", "b"])), [{ role: "b" }], [{ role: "ab" }]],
    [asks(has("scope", "has_scope", "a")), [{ scope: "b a" }, { scope: ["a"] }], [{ scope: "ab" }, { scope: ["b a"] }]],
    [asks(has("x.y[0]", "equals", "a")), [{ x: { y: ["a"] } }], [{ x: { y: "a" } }, { y: ["a"] }]],
    [asks(has("role", "starts_with", "a")), [{}, { role: "b" }], []],
    [asks(has("role", "equals", "a"), has("role", "starts_with", "a")), [{ role: "a" }], [{ role: "ab" }]],
    [
      deny(has("role", "equals", "a")),
      [{ role: "a" }, { role: {} }, { role: [{}] }],
      [{}, { role: "b" }, { role: [] }],
    ],
    [{}, [{}, { role: "b" }], []],
    [{ active: false }, [], [{}]],
  ])("%j", (policy, found, passed) => {
    const index = indexOf(policy);
    for (const claims of found) expect([claims, namesOf(index, claims)]).toEqual([claims, ["p1"]]);
    for (const claims of passed) expect([claims, namesOf(index, claims)]).toEqual([claims, []]);
  });

  test("found by the matcher that the fewest policies share", () => {
    const common = has("dept", "equals", "eng");
    const index = indexOf(
      asks(common, has("role", "equals", "a")),
      asks(has("role", "in", "b"), common),
      asks(common, has("role", "contains_any", ["b", "c", "d"])),
    );
    expect(namesOf(index, { dept: "eng" })).toEqual(["p3"]);
    expect(namesOf(index, { role: "a" })).toEqual(["p1"]);
    expect(namesOf(index, { role: ["b", "c"] })).toEqual(["p2"]);
  });

  test("returned once each, in evaluation order", () => {
    const index = indexOf(
      asks(has("role", "in", "a,b")),
      { ...asks(has("role", "in", "a,b")), priority: 1 },
      asks(has("dept", "equals", "x")),
      {},
    );
    expect(namesOf(index, { dept: "x", role: ["a", "b"] })).toEqual(["p2", "p1", "p3", "p4"]);
  });
});

test("a found policy must still match now, with all its other matchers", () => {
  const role = has("role", "equals", "a");
  const index = indexOf(
    asks(role, has("dept", "starts_with", "x")),
    { ...asks(role), validUntil: "2026-01-01T00:00:00Z" },
    asks(has("role", "contains_all", ["a", "b"])),
  );
  const matching = (claims: JsonObject) => index.matching(claims, NOW).map(({ policy }) => policy.name);
  expect(matching({ role: "a" })).toEqual([]);
  expect(matching({ role: "a", dept: "xy" })).toEqual(["p1"]);
  expect(matching({ role: ["b", "a"] })).toEqual(["p3"]);
});

test("a policy tests the matcher first that most policies share", () => {
  const index = compile(
    withPolicies(
      asks(has("roles", "contains", "a"), has("dept", "equals", "eng")),
      asks(has("roles", "contains", "b"), has("dept", "equals", "eng")),
      asks(has("dept", "equals", "eng"), has("roles", "contains", "b"), has("roles", "contains", "c")),
    ),
  );
  let readings = 0;
  const claims = (dept: string): JsonObject => ({
    dept,
    get roles() {
      readings += 1;
      return ["b"];
    },
  });
  const all = (dept: string) =>
    index.policyIndex
      .search(claims(dept), NOW)
      .all([index.policies])
      .map(({ policy }) => policy.name);
  expect([all("ops"), readings]).toEqual([[], 0]);
  expect([all("eng"), readings]).toEqual([["p2"], 1]);
});

test("`reads` holds the top-level claim names that active policies read", () => {
  const index = indexOf(
    asks(has("realm.roles", "contains", "a"), has('["https://x.y/z"]', "exists")),
    { ...asks(has("off", "exists")), active: false },
    asks(has("broken[", "exists"), has("level", "gt", "tall")),
  );
  expect([...index.reads].toSorted()).toEqual(["https://x.y/z", "realm"]);
});
