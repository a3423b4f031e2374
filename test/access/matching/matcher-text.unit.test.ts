import { expect, test } from "vitest";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { shownClaim, describeMismatch } from "@/lib/access/matching/matcher-text";
import { compileMatcher } from "@/lib/access/matching/compiled-matcher";

const matcher = (claim: string, operator: string, value: Json) =>
  compileMatcher({ claim, operator, value, ignoreCase: false });

test.each<[string, Json, JsonObject, string]>([
  ["contains", "admin", { roles: [] }, "`roles` lacks `admin`"],
  ["contains_any", ["a", "b"], { roles: [] }, "`roles` lacks `a`, `b`"],
  ["contains_all", ["a", 5], { roles: [] }, "`roles` lacks `a`, `5`"],
  ["has_scope", "read", {}, "`roles` lacks `read`"],
  ["exists", null, {}, "`roles` must be present (it is missing)"],
  ["not_exists", null, { roles: 1 }, "`roles` must be absent"],
  ["gte", 5, { roles: 1 }, '`roles` fails "is at least `5`"'],
  ["starts_with", "a", { roles: "b" }, '`roles` fails "starts with `a`"'],
  ["starts_with", "a", { roles: null }, '`roles` fails "starts with `a`" (it is missing)'],
  ["in", "a,b", {}, '`roles` fails "is one of `a,b`" (it is missing)'],
])("the reason why `%s` %j does not hold of %j is a sentence", (operator, value, claims, text) =>
  expect(describeMismatch(matcher("roles", operator, value), claims)).toBe(text),
);

test("the text of a matcher that does not compile says why", () => {
  expect(describeMismatch(matcher("roles", "gt", "tall"), {})).toMatch(/^`roles` cannot be evaluated: give a number/);
  expect(shownClaim(matcher("a..b", "exists", null), { a: 1 })).toBeUndefined();
});

test("a claim is shown unchanged, and null as missing", () => {
  const roles = matcher("roles", "exists", null);
  expect([{ roles: ["a"] }, { roles: null }, {}].map((claims: JsonObject) => shownClaim(roles, claims))).toEqual([
    ["a"],
    undefined,
    undefined,
  ]);
});
