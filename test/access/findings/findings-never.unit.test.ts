import { describe, expect, test } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import type { Matcher } from "@/lib/access/model/matcher";
import { toConstraints } from "@/lib/access/findings/constraints";
import { neverMatches } from "@/lib/access/findings/never";
import { has, withPolicies, type Given } from "@/test/access/findings-of";

type Some = readonly Partial<Matcher>[];

/** The matchers (from 1) that together match nobody; `null` when this is not proven. */
function contradiction(policy: Given): readonly number[] | null {
  const never = neverMatches(toConstraints(compile(withPolicies(policy)).policies[0]!));
  return never === null ? null : never.matchers.map((at) => at + 1);
}

const is = (operator: string, value: Matcher["value"] = null) => has("a", operator, value);
const folded = (matcher: Partial<Matcher>): Partial<Matcher> => ({ ...matcher, ignoreCase: true });

describe("contradicting matchers are found", () => {
  test.each<Some>([
    [is("equals", "x"), is("not_equals", "x")],
    [is("in", ["x", "y"]), is("not_in", ["y", "x", "z"])],
    [is("in", ["x", "y"]), is("not_equals", "x"), is("not_equals", "y")],
    [is("contains_any", ["x", "y"]), is("contains_none", ["x", "y"])],
    [is("contains_all", ["x", "y"]), is("not_contains", "y")],
    [is("equals", "X"), folded(is("not_equals", "x"))],
    [folded(is("equals", "X")), folded(is("not_equals", "x"))],
    [is("has_scope", "x"), is("lacks_scope", "x")],
    [folded(is("has_scope", "X")), folded(is("lacks_scope", "x"))],
    [is("has_scope", "x"), folded(is("lacks_scope", "X"))],
    [is("equals", "x"), is("lacks_scope", "x")],
    [is("gt", 5), is("lt", 5)],
    [is("gt", 5), is("lte", 5)],
    [is("gte", 5), is("lt", 5)],
    [is("gte", 6), is("lte", 5)],
    [is("semver_gte", "1.2.0"), is("semver_lt", "1.2.0")],
    [is("gt", 5), is("semver_gte", "1.0.0")],
    [is("gt", 5), is("equals", "x")],
    [is("gt", 5), is("equals", 5)],
    [is("gt", 5), is("equals", 6), is("not_equals", "6")],
  ])("%j %j", (...matchers) => expect(contradiction({ matchers })).toEqual(matchers.map((_, at) => at + 1)));

  test.each<[Some, readonly number[]]>([
    [[is("in", [])], [1]],
    [
      [has("b", "exists"), is("in", []), is("exists")],
      [2, 3],
    ],
    [
      [has("b", "exists"), is("not_exists"), is("gt", 5)],
      [2, 3],
    ],
    [
      [has("a.b", "exists"), is("equals", "x")],
      [1, 2],
    ],
    [
      [is("equals", "x"), has("a.b", "exists")],
      [1, 2],
    ],
    [
      [is("not_equals", "x"), has("a.b", "exists")],
      [1, 2],
    ],
    [
      [is("gt", 5), has("a[0]", "exists")],
      [1, 2],
    ],
    [
      [is("not_exists"), has("a.b.c", "equals", "x")],
      [1, 2],
    ],
    [
      [has("a.b", "not_exists"), has("b", "exists"), has("a.b[0]", "exists")],
      [1, 3],
    ],
    [
      [has("b", "exists"), has("a.c[0]", "exists"), has("a.c.d", "exists")],
      [2, 3],
    ],
    [[has("a.constructor", "exists")], [1]],
    [[has("b", "exists"), has("a.__proto__", "not_equals", "x")], [2]],
  ])("%j", (matchers, blamed) => expect(contradiction({ matchers })).toEqual(blamed));
});

describe("matchers that somebody may satisfy are not reported", () => {
  test.each<Some>([
    [is("exists")],
    [is("not_exists")],
    [is("not_exists"), has("b", "exists")],
    [is("equals", "x"), is("not_equals", "y")],
    [is("in", ["x", "y"]), is("not_equals", "x")],
    [is("contains", "x"), is("contains", "y")],
    [is("contains_any", ["x", "y"]), is("not_contains", "x")],
    [is("equals", "x"), folded(is("equals", "X"))],
    [folded(is("equals", "x")), is("not_equals", "x")],
    [folded(is("has_scope", "x")), is("lacks_scope", "x")],
    [is("has_scope", "x"), is("not_equals", "x")],
    [is("gte", 5), is("lte", 5)],
    [is("gt", 5), is("lt", 6)],
    [is("gt", 5), is("equals", 6)],
    [is("in", ["5", "6"]), is("gt", 5)],
    [folded(is("in", ["x", "y"])), folded(is("not_equals", "x"))],
    [folded(is("equals", "x")), folded(is("not_equals", "y"))],
    [is("semver_gte", "1.2.0"), is("semver_lt", "1.2.1")],
    [is("gt", "2027-01-01T00:00:00Z"), is("lt", "2026-01-01T00:00:00Z")],
    [has("a[0]", "exists"), is("exists")],
    [has("a[0]", "exists"), is("equals", "x")],
    [has("a[0]", "exists"), is("not_equals", "x")],
    [has("a.b", "exists"), is("exists")],
    [has("a.b", "not_exists"), is("not_exists")],
    [has("a.b", "not_exists"), has("a[0]", "exists")],
    [has("a[0].b", "exists"), has("a[1][0]", "exists")],
    [has("constructor", "not_exists")],
  ])("%j %j", (...matchers) => expect(contradiction({ matchers })).toBeNull());
});

describe("in a deny, an uncomparable claim counts as held", () => {
  const deny = (...matchers: Some) => contradiction({ effect: "deny", matchers });

  test("so that only presence and shape contradict", () => {
    expect(deny(is("equals", "x"), is("not_equals", "x"))).toBeNull();
    expect(deny(is("gt", "tall"))).toBeNull();
    expect(deny(has("a.b", "exists"), is("equals", "x"))).toBeNull();
    expect(deny(is("equals", "x"), is("not_exists"))).toEqual([1, 2]);
    expect(deny(is("not_equals", "x"), is("not_exists"))).toBeNull();
    expect(deny(has("a.b", "exists"), has("a[0]", "exists"))).toEqual([1, 2]);
    expect(deny(has("a.b", "not_equals", "x"), has("a[0]", "exists"))).toBeNull();
    expect(deny(has("a.b", "exists"), is("not_exists"))).toEqual([1, 2]);
    expect(deny(has("constructor", "equals", "x"))).toEqual([1]);
    expect(deny(has("constructor", "not_equals", "x"))).toBeNull();
  });
});

test("a policy without a valid time, or without matchers, names no matcher", () => {
  const at = "2027-01-01T00:00:00Z";
  expect(contradiction({ validFrom: at, validUntil: at })).toEqual([]);
  expect(contradiction({ validFrom: at, validUntil: "2027-01-01T00:00:01Z" })).toBeNull();
  expect(contradiction({ matchers: [], everyone: false })).toEqual([]);
  expect(contradiction({ matchers: [], everyone: false, effect: "deny" })).toBeNull();
  expect(contradiction({ matchers: [is("exists"), is("gt", "tall")] })).toEqual([2]);
});
