import { describe, expect, test } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import type { JsonObject } from "@/lib/access/model/configuration";
import type { Matcher } from "@/lib/access/model/matcher";
import { toConstraints } from "@/lib/access/findings/constraints";
import { exampleClaims } from "@/lib/access/findings/example";
import { has, NOW, withPolicies } from "@/test/access/findings-of";

type Some = readonly Partial<Matcher>[];

/** Example claims for a policy, and whether the resolver confirms that they satisfy it. */
function example(matchers: Some, effect: "allow" | "deny" = "allow", leaveOut: readonly number[] = []) {
  const index = compile(withPolicies({ effect, matchers }));
  const claims = exampleClaims(toConstraints(index.policies[0]!), NOW, new Set(leaveOut));
  return { claims, matches: claims !== null && index.policyIndex.matching(claims, NOW).length === 1 };
}

const is = (operator: string, value: Matcher["value"] = null) => has("a", operator, value);
const folded = (matcher: Partial<Matcher>): Partial<Matcher> => ({ ...matcher, ignoreCase: true });

describe("an example satisfies its policy with the simplest claims", () => {
  test.each<[Some, JsonObject]>([
    [[is("exists")], { a: "any" }],
    [[is("equals", "x")], { a: "x" }],
    [[is("equals", 5)], { a: "5" }],
    [[is("not_equals", "x")], { a: "other" }],
    [[is("not_equals", "other")], { a: "something-else" }],
    [[is("in", ["x", "y"])], { a: "x" }],
    [[is("not_in", ["other", "x"])], { a: "something-else" }],
    [[is("contains", "x"), is("contains", "y")], { a: ["x", "y"] }],
    [[is("contains_all", ["x", "y"]), is("not_contains", "z")], { a: ["x", "y"] }],
    [[is("contains_any", ["x", "y"]), is("not_contains", "x")], { a: "y" }],
    [[is("has_scope", "x"), is("has_scope", "y")], { a: "x y" }],
    [[is("starts_with", "ab"), is("not_equals", "ab")], { a: "abx" }],
    [[is("ends_with", "ab"), is("not_equals", "ab")], { a: "xab" }],
    [[is("text_contains", "ab"), is("not_equals", "ab")], { a: "xabx" }],
    [[is("glob", "a?c*")], { a: "axc" }],
    [[is("glob", "a*"), is("not_equals", "a")], { a: "ax" }],
    [[is("matches", "^ab$")], { a: "ab" }],
    [[is("matches", "(ab)+c.*")], { a: "abc" }],
    [[is("cidr", "10.0.0.0/8")], { a: "10.0.0.0" }],
    [[is("gt", 5)], { a: 6 }],
    [[is("gte", 5)], { a: 5 }],
    [[is("lt", 5)], { a: 4 }],
    [[is("gt", 5), is("lt", 6)], { a: 5.5 }],
    [[is("gt", "2026-01-01T00:00:00Z")], { a: "2026-01-01T00:00:01.000Z" }],
    [[is("lt", "2026-01-01T00:00:00Z")], { a: "2025-12-31T23:59:59.000Z" }],
    [[is("within_last", "P1D")], { a: "2026-03-31T12:00:00.000Z" }],
    [[is("within_next", "P1D")], { a: "2026-03-31T12:00:00.000Z" }],
    [[is("semver_gte", "1.2.3")], { a: "1.2.3" }],
    [[is("semver_lt", "1.2.3")], { a: "0.0.0" }],
    [[is("semver_lt", "0.0.0")], { a: "0.0.0-0" }],
    [[is("not_exists")], {}],
    [[folded(is("equals", "x")), is("not_equals", "x")], { a: "X" }],
    [[folded(is("starts_with", "x")), is("starts_with", "X")], { a: ["x", "X"] }],
    [[has("a.b[1].c", "equals", "x")], { a: { b: [null, { c: "x" }] } }],
    [[has("a[0]", "equals", "x"), has("a[1]", "equals", "y")], { a: ["x", "y"] }],
    [[has("a.b", "equals", "x"), has("a.c", "equals", "y")], { a: { b: "x", c: "y" } }],
    [[has("a[0].b", "equals", "x"), has("a[0].c", "equals", "y")], { a: [{ b: "x", c: "y" }] }],
    [[has("a[1].b", "equals", "x"), has("a[0].c", "equals", "y")], { a: [{ c: "y" }, { b: "x" }] }],
    [[has("a.b", "equals", "x"), has("a", "exists")], { a: { b: "x" } }],
    [[has("a[0]", "contains", "x"), has("a", "contains", "x")], { a: ["x"] }],
  ])("%j", (matchers, claims) => expect(example(matchers)).toStrictEqual({ claims, matches: true }));
});

describe("in a deny", () => {
  test.each<[Some, JsonObject]>([
    [[is("not_equals", "x")], {}],
    [[is("not_equals", "x"), is("exists")], { a: "other" }],
    [[is("equals", "x"), is("equals", "y")], { a: ["x", "y"] }],
    [[is("gt", 5), is("equals", "x")], { a: "x" }],
    [[is("contains", "x"), is("not_contains", "x")], { a: {} }],
    [[is("matches", "[ab]c")], { a: {} }],
    [[has("constructor", "not_equals", "x")], {}],
  ])("an absent or uncomparable claim may suffice: %j", (matchers, claims) =>
    expect(example(matchers, "deny")).toStrictEqual({ claims, matches: true }),
  );
});

test("an example ignores the matchers in leaveOut", () => {
  const both = [is("equals", "x"), is("not_exists")];
  expect(example(both).claims).toBeNull();
  expect(example(both, "allow", [0]).claims).toStrictEqual({});
  expect(example(both, "allow", [1]).claims).toStrictEqual({ a: "x" });
  expect(example(both, "allow", [0, 1]).claims).toStrictEqual({});
});

describe("there is no example", () => {
  test.each<Some>([
    [is("equals", "x"), is("not_equals", "x")],
    [is("matches", "[ab]c")],
    [is("gt", 5), is("lt", 5)],
    [has("a[1001]", "equals", "x")],
  ])("%j", (...matchers) => expect(example(matchers).claims).toBeNull());
});

test("of conflicting paths the later one stays: an example must be verified with the resolver", () => {
  const clash = [has("a[0]", "equals", "x"), has("a.b", "equals", "y")];
  expect(example(clash)).toEqual({ claims: { a: { b: "y" } }, matches: false });
});

test("the longest list of an example has a thousand and one elements", () => {
  const { claims, matches } = example([has("a[1000]", "equals", "x")]);
  expect(matches).toBe(true);
  expect(claims?.["a"]).toHaveLength(1001);
});
