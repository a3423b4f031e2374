import { expect, test } from "vitest";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { shownClaim, describeMatcher } from "@/lib/access/matching/matcher-text";
import { compileMatcher } from "@/lib/access/matching/compiled-matcher";

const matcher = (claim: string, operator: string, value: Json) =>
  compileMatcher({ claim, operator, value, ignoreCase: false });

test.each<[string, Json, string]>([
  ["equals", "a", "`roles` equals `a`"],
  ["contains_all", ["a", 5], "`roles` contains all of `a`, `5`"],
  ["exists", null, "`roles` exists"],
  ["gte", 5, "`roles` is at least `5`"],
  ["in", "a,b", "`roles` is one of `a,b`"],
])("what `%s` %j requires is a sentence", (operator, value, text) =>
  expect(describeMatcher(matcher("roles", operator, value))).toBe(text),
);

test("the text of a matcher that does not compile says why", () => {
  expect(describeMatcher(matcher("roles", "gt", "tall"))).toMatch(/^`roles` cannot be evaluated: give a number/);
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
