import { describe, expect, test } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import type { Json } from "@/lib/access/model/configuration";
import type { Matcher } from "@/lib/access/model/matcher";
import { toConstraints } from "@/lib/access/findings/constraints";
import { scalarForms, valuesAt, valuesFor } from "@/lib/access/findings/values";
import { has, NOW, withPolicies } from "@/test/access/findings-of";

const constraintsOf = (...matchers: readonly Partial<Matcher>[]) =>
  toConstraints(compile(withPolicies({ matchers })).policies[0]!).all;
const is = (operator: string, value: Matcher["value"] = null) => has("a", operator, value);
const folded = (matcher: Partial<Matcher>): Partial<Matcher> => ({ ...matcher, ignoreCase: true });
const guesses = (matcher: Partial<Matcher>) => valuesFor(constraintsOf(matcher)[0]!, NOW);

test.each<[string, readonly Json[]]>([
  ["x", ["x"]],
  ["true", ["true", true]],
  ["false", ["false", false]],
  ["5", ["5", 5]],
  ["-1.5", ["-1.5", -1.5]],
  ["05", ["05"]],
  ["1e2", ["1e2"]],
  ["", [""]],
])("the scalars of the text %j are %j", (text, forms) => expect(scalarForms(text)).toEqual(forms));

describe("values for one matcher, most likely first", () => {
  test.each<[Partial<Matcher>, readonly Json[]]>([
    [is("not_exists"), []],
    [is("exists"), ["any"]],
    [is("not_equals", "x"), ["other", "something-else"]],
    [is("in", ["x", "y"]), ["x", "y"]],
    [folded(is("in", ["X", "5"])), ["x", "X", "5"]],
    [is("starts_with", "x"), ["x", "xx"]],
    [folded(is("starts_with", "x")), ["x", "xx", "X"]],
    [is("ends_with", "y"), ["y", "xy"]],
    [is("text_contains", "y"), ["y", "xyx"]],
    [is("glob", "a*b?c*"), ["abxc", "axbxcx"]],
    [is("matches", "^a^b$c$"), ["a^b$c", "abc"]],
    [is("matches", "^(a+)\\.b*.*$"), ["(a+)\\.b*.*", "a.b"]],
    [is("cidr", "10.0.0.0/8"), ["10.0.0.0"]],
    [is("semver_gte", "1.2.3"), ["1.2.3"]],
    [is("semver_lt", "1.2.3-rc.1"), ["0.0.0", "0.0.0-0", "1.2.3-0"]],
    [is("semver_lt", "1.2.3+b"), ["0.0.0", "0.0.0-0", "1.2.3-0"]],
    [is("gt", 5), [5, 6, 4]],
    [is("lt", "5"), [5, 6, 4]],
    [
      is("gt", "2026-01-01T00:00:00Z"),
      ["2026-01-01T00:00:00.000Z", "2026-01-01T00:00:01.000Z", "2025-12-31T23:59:59.000Z"],
    ],
    [is("within_last", "P1D"), ["2026-03-31T12:00:00.000Z"]],
    [is("within_next", "P1D"), ["2026-03-31T12:00:00.000Z"]],
  ])("%j", (matcher, values) => expect(guesses(matcher)).toEqual(values));

  test("from twenty texts at most", () => {
    const texts = Array.from({ length: 30 }, (_, n) => `t${n}`);
    expect(guesses(is("in", texts))).toEqual(texts.slice(0, 20));
  });
});

describe("values at one path, simplest first", () => {
  const values = (effect: "allow" | "deny", ...matchers: readonly Partial<Matcher>[]) =>
    valuesAt(constraintsOf(...matchers), effect, NOW);

  test.each<[readonly Partial<Matcher>[], readonly (Json | undefined)[]]>([
    [[is("equals", "x")], ["x", ["x"], "x"]],
    [[is("not_exists")], [undefined, []]],
    [[is("not_equals", "x")], ["other", "something-else", [], "other", "something-else"]],
    [
      [is("has_scope", "x"), is("has_scope", "y")],
      ["x y", ["x", "y"], "x", "y"],
    ],
    [
      [is("has_scope", "x"), is("lacks_scope", "y")],
      ["x", "other", "something-else", ["x"], "x", "other", "something-else"],
    ],
    [
      [is("contains_any", ["x", "y"]), is("not_contains", "x"), is("contains", "z")],
      [["y", "z"], "x", "y", "other", "something-else", "z"],
    ],
    [[is("contains_all", ["x", "y"])], [["x", "y"], "x", "y"]],
    [
      [is("gt", 5), is("lt", 8)],
      [5, 6, 4, 8, 9, 7, [], 5, 6, 4, 8, 9, 7, 4.5, 5.5, 6.5, 7.5, 8.5],
    ],
  ])("of an allow: %j", (matchers, expected) => expect(values("allow", ...matchers)).toEqual(expected));

  test("of a deny: also an absent claim and uncomparable values", () => {
    expect(values("deny", is("not_equals", "x"))).toEqual([
      undefined,
      "other",
      "something-else",
      [],
      "other",
      "something-else",
      {},
    ]);
    expect(values("deny", is("equals", "x"))).toEqual(["x", ["x"], "x", {}]);
    expect(values("deny", is("equals", "x"), is("not_equals", "y"))[0]).toBe("x");
  });

  test("two hundred at most, and the last", () => {
    const many = Array.from({ length: 12 }, (_, n) =>
      is(
        "in",
        Array.from({ length: 20 }, (_one, m) => `t${n}-${m}`),
      ),
    );
    expect(values("deny", ...many)).toHaveLength(201);
    expect(values("deny", ...many).at(-1)).toEqual({});
    expect(values("allow", ...many)).toHaveLength(201);
  });
});
