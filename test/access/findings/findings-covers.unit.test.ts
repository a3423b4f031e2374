import { describe, expect, test } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import type { Matcher } from "@/lib/access/model/matcher";
import { toConstraints } from "@/lib/access/findings/constraints";
import { covers } from "@/lib/access/findings/covers";
import { has, withPolicies } from "@/test/access/findings-of";

type Some = readonly Partial<Matcher>[];
type Effect = "allow" | "deny";

/** Whether it is proven that the wide matchers match everything that the narrow matchers match. */
function proven(narrow: Some, wide: Some, from: Effect = "allow", to: Effect = "allow", left = 1000): boolean {
  const index = compile(
    withPolicies({ name: "a", effect: from, matchers: narrow }, { name: "b", effect: to, matchers: wide }),
  );
  const [one, other] = index.policies.map(toConstraints);
  return covers(other!, one!, { left });
}

const folded = (matcher: Partial<Matcher>): Partial<Matcher> => ({ ...matcher, ignoreCase: true });
const is = (operator: string, value: Matcher["value"] = null) => has("a", operator, value);

describe("is proven, and not the other way round", () => {
  test.each<[Some, Some]>([
    [[is("contains", "x")], [is("contains_any", ["x", "y"])]],
    [[is("contains_all", ["x", "y"])], [is("contains", "x")]],
    [[is("contains_all", ["x", "y"])], [is("contains_any", ["y", "z"])]],
    [[is("contains_all", ["x", "y", "z"])], [is("contains_all", ["z", "x"])]],
    [[is("contains", "x"), is("contains", "y")], [is("contains", "x")]],
    [[is("contains", "x"), is("contains", "y"), is("contains", "z")], [is("contains_all", ["x", "y"])]],
    [[is("equals", "x")], [is("in", "x, y")]],
    [[is("equals", "xy")], [is("starts_with", "x")]],
    [[is("equals", "xy")], [is("ends_with", "y")]],
    [[is("equals", "xyz")], [is("text_contains", "y")]],
    [[is("in", ["xa", "xb"])], [is("glob", "x?")]],
    [[is("in", ["xa", "xb"])], [is("matches", "x")]],
    [[is("equals", "10.1.2.3")], [is("cidr", "10.0.0.0/8")]],
    [[is("cidr", "10.1.0.0/16")], [is("cidr", "10.0.0.0/8")]],
    [[is("cidr", "2001:db8:1::/48")], [is("cidr", "2001:db8::/32")]],
    [[is("starts_with", "abc")], [is("starts_with", "ab")]],
    [[is("starts_with", "abc")], [is("text_contains", "bc")]],
    [[is("ends_with", "abc")], [is("ends_with", "bc")]],
    [[is("ends_with", "abc")], [is("text_contains", "ab")]],
    [[is("text_contains", "abc")], [is("text_contains", "b")]],
    [[folded(is("starts_with", "ABc"))], [folded(is("starts_with", "aB"))]],
    [[is("equals", "X")], [folded(is("equals", "x"))]],
    [[folded(is("equals", "X"))], [folded(is("in", ["x", "y"]))]],
    [[is("contains", "X")], [folded(is("contains_all", ["x"]))].concat(folded(is("in", ["x", "z"])))],
    [[is("has_scope", "x")], [is("exists")]],
    [[is("not_in", [])], [is("exists")]],
    [[is("contains", "x")], [is("has_scope", "x")]],
    [[is("has_scope", "X")], [folded(is("has_scope", "x"))]],
    [[has("a.b", "equals", "x")], [is("exists")]],
    [[has("a[0].b", "contains", "x")], [has("a[0]", "exists")]],
    [[is("not_exists")], [has("a.b", "not_exists")]],
    [[has("a.b", "not_exists")], [has("a.b.c[0]", "not_exists")]],
    [[is("gt", 5)], [is("gte", 5)]],
    [[is("gte", 6)], [is("gt", 5)]],
    [[is("lt", 5)], [is("lte", 5)]],
    [[is("lte", 4)], [is("lt", 5)]],
    [[is("gt", 5), is("lt", 10)], [is("lt", 11)]],
    [
      [is("gt", 5), is("lt", 10)],
      [is("gt", 4), is("lt", 10)],
    ],
    [[is("gt", 7), is("gt", 3)], [is("gt", 6)]],
    [[is("gt", 3), is("gt", 7)], [is("gt", 6)]],
    [[is("lt", 7), is("lt", 3)], [is("lt", 4)]],
    [[has("a.b", "equals", "x"), has("b", "not_exists")], [is("exists")]],
    [[is("cidr", "10.0.0.0/16")], [is("cidr", "10.0.0.0/8")]],
    [[is("contains_all", ["x"])], [is("has_scope", "x")]],
    [[is("contains_all", ["x"])], [folded(is("equals", "X"))]],
    [[is("contains_all", ["x"])], [is("contains_any", ["x", "y"])]],
    [[is("exists"), is("not_in", ["x", "y"])], [is("not_equals", "x")]],
    [[is("lt", 3), is("lt", 7)], [is("lt", 4)]],
    [[is("semver_gte", "2.0.0")], [is("semver_gte", "1.10.0")]],
    [[is("semver_lt", "1.9.0")], [is("semver_lt", "1.10.0")]],
    [[is("semver_gte", "1.0.0"), is("semver_lt", "2.0.0")], [is("semver_lt", "2.0.0")]],
    [[is("not_in", ["x", "y"])], [is("not_equals", "x")]],
    [[is("contains_none", ["x", "y"])], [is("not_contains", "y")]],
    [[is("not_equals", "x"), is("not_equals", "y"), is("not_equals", "z")], [is("not_in", ["x", "y"])]],
    [[is("lacks_scope", "x")], [is("not_contains", "x")]],
    [[folded(is("not_equals", "X"))], [is("not_equals", "X")]],
    [[folded(is("not_equals", "X"))], [is("not_equals", "x")]],
    [[is("equals", "x")], [is("not_in", [])]],
    [[is("in", ["x", "y"]), is("not_equals", "y")], [is("equals", "x")]],
    [[is("equals", "x"), has("b", "equals", "y")], [has("b", "equals", "y")]],
    [[has("constructor", "not_exists"), is("exists")], [has("constructor", "not_exists")]],
  ])("%j → %j", (narrow, wide) => {
    expect(proven(narrow, wide)).toBe(true);
    expect(proven(wide, narrow)).toBe(false);
  });
});

describe("is proven both ways", () => {
  test.each<[Some, Some]>([
    [[is("equals", "x")], [is("equals", "x")]],
    [[is("equals", "x")], [is("in", ["x"])]],
    [[is("contains", "x")], [is("contains_all", ["x"])]],
    [[is("contains_any", ["x", "y"])], [is("contains_any", ["y", "x"])]],
    [[is("not_equals", "x")], [is("not_in", ["x"])]],
    [[is("gt", 5)], [is("gt", "5.0")]],
    [[is("gte", 5), is("gt", 5)], [is("gt", "5.0")]],
    [[is("gt", 5), is("gte", 5)], [is("gt", "5.0")]],
    [[is("lte", 5), is("lt", 5)], [is("lt", "5.0")]],
    [[folded(is("equals", "x"))], [folded(is("contains_all", ["X"]))]],
    [[has("a.b", "exists")], [has('a["b"]', "exists")]],
    [[is("contains", "x"), is("contains", "y")], [is("contains_all", ["y", "x"])]],
    [
      [is("matches", "^x"), is("exists")],
      [is("exists"), is("matches", "^x")],
    ],
    [[is("within_last", "P1D")], [is("within_last", "P1D")]],
  ])("%j ↔ %j", (one, other) => {
    expect(proven(one, other)).toBe(true);
    expect(proven(other, one)).toBe(true);
  });
});

describe("is not proven, either way", () => {
  test.each<[Some, Some]>([
    [[is("equals", "x")], [is("equals", "y")]],
    [[is("equals", "x")], [has("b", "equals", "x")]],
    [[is("equals", "x")], [is("not_equals", "y")]],
    [[is("equals", "5")], [is("gte", 5)]],
    [[is("exists")], [has("a.b", "not_exists")]],
    [[folded(is("equals", "x"))], [folded(is("matches", "^x$"))]],
    [[is("has_scope", "x")], [is("has_scope", "y")]],
    [[is("starts_with", 55)], [is("starts_with", 5)]],
    [[is("starts_with", "10.1.2.3")], [is("cidr", "10.0.0.0/8")]],
    [[is("cidr", "10.0.0.0/8")], [is("starts_with", "10.0.0.0/8")]],
    [[is("starts_with", "abc")], [is("glob", "abc")]],
    [[is("glob", "a*c")], [is("text_contains", "*")]],
    [[is("starts_with", "ab")], [is("ends_with", "ab")]],
    [[is("starts_with", "ab")], [folded(is("starts_with", "a"))]],
    [[is("glob", "ab*")], [is("starts_with", "b")]],
    [[is("cidr", "10.0.0.0/8")], [is("cidr", "192.0.2.0/24")]],
    [[is("cidr", "10.0.0.0/8")], [is("starts_with", "10.")]],
    [[is("gt", 5)], [is("lt", 10)]],
    [[is("gt", 5)], [is("semver_gte", "1.0.0")]],
    [
      [is("gt", 5), is("lt", 4)],
      [is("gt", 4), is("lt", 7), is("exists")],
    ],
    [[is("within_last", "P1D")], [is("within_last", "P2D")]],
    [[is("gt", "2026-01-01T00:00:00Z")], [is("gt", "2025-01-01T00:00:00Z")]],
    [[is("not_exists")], [is("not_in", [])]],
    [[is("not_equals", "x")], [folded(is("not_equals", "y"))]],
    [[has("ab", "exists")], [has("a.b", "exists")]],
  ])("%j ↮ %j", (one, other) => {
    expect(proven(one, other)).toBe(false);
    expect(proven(other, one)).toBe(false);
  });
});

describe("in a deny, an uncomparable claim counts as held", () => {
  const [narrow, wide] = [[is("contains", "x")], [is("contains_any", ["x", "y"])]];
  const broken = [is("gt", "tall")];

  test("a deny may cover an allow or a deny; an allow never covers a deny", () => {
    expect(proven(narrow, wide, "allow", "deny")).toBe(true);
    expect(proven(narrow, wide, "deny", "deny")).toBe(true);
    expect(proven(narrow, wide, "deny", "allow")).toBe(false);
    expect(proven(narrow, narrow, "deny", "allow")).toBe(false);
  });

  test("only operators that find the same claims uncomparable imply each other", () => {
    expect(proven([is("equals", "xy")], [is("starts_with", "x")], "deny", "deny")).toBe(true);
    expect(proven([is("equals", "10.1.2.3")], [is("cidr", "10.0.0.0/8")], "deny", "deny")).toBe(false);
    expect(proven([is("equals", "10.1.2.3")], [is("cidr", "10.0.0.0/8")], "allow", "deny")).toBe(true);
    expect(proven([is("gt", 5)], [is("gte", 5)], "deny", "deny")).toBe(true);
  });

  test("a negative matcher holds without the claim, a positive one needs it", () => {
    expect(proven([is("equals", "x")], [is("exists")], "deny", "deny")).toBe(true);
    expect(proven([is("not_equals", "x")], [is("exists")], "deny", "deny")).toBe(false);
    expect(proven([is("not_equals", "x")], [is("exists")], "allow", "deny")).toBe(true);
    expect(proven([is("exists")], [is("not_in", [])], "allow", "deny")).toBe(true);
  });

  test("an unusable matcher holds for nobody in an allow, and for everybody in a deny", () => {
    expect(proven(narrow, broken, "allow", "deny")).toBe(true);
    expect(proven(narrow, broken)).toBe(false);
    expect(proven(narrow, [...narrow, ...broken])).toBe(false);
  });

  test("a stored policy with neither matchers nor `everyone` denies everybody and grants nobody", () => {
    expect(proven(narrow, [], "allow", "deny")).toBe(true);
    expect(proven(narrow, [])).toBe(false);
  });
});

describe("nothing more is proven when the budget is used up", () => {
  test.each<[Some, Some, number]>([
    [[is("exists")], [is("exists")], 1],
    [[is("in", ["x", "y"])], [is("in", ["x", "y", "z"])], 7],
    [[is("in", ["x", "y"]), is("not_equals", "z")], [is("in", ["x", "y", "w"])], 9],
    [[is("contains_all", ["x", "y"])], [is("contains", "x"), is("contains", "y")], 4],
    [[is("contains_all", ["x", "y", "z"])], [is("contains_all", ["x", "y"])], 6],
    [[is("not_in", ["x", "y", "z"])], [is("not_in", ["x", "y"])], 3],
  ])("%j → %j takes %i", (narrow, wide, work) => {
    expect(proven(narrow, wide, "allow", "allow", work)).toBe(true);
    for (let left = work - 1; left >= -1; left -= 1) expect(proven(narrow, wide, "allow", "allow", left)).toBe(false);
  });
});
