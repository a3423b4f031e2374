import { describe, expect, test } from "vitest";
import { boundClaims, parseClaimPath, readClaim } from "@/lib/access/model/claims";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { isProblem } from "@/lib/access/model/problem";

describe("an invalid claim path is refused with the place and the reason", () => {
  const brackets = (at: number) =>
    `write a list index or a quoted key in the brackets at position ${at} of the claim path`;
  const quotes = (at: number) => `the bracket at position ${at} of the claim path holds no key in quotes`;
  const empty = (at: number) => `empty key at position ${at} of the claim path`;

  test.each([
    ["", "name a claim path"],
    [".", empty(1)],
    [".a", empty(1)],
    ["a.", empty(3)],
    ["a..b", empty(3)],
    ["a.[0]", empty(3)],
    ["]", empty(1)],
    ["ab]c", '"]" without "[" at position 3 of the claim path'],
    ["a.bc]", '"]" without "[" at position 5 of the claim path'],
    ["a[0]b", 'expected "." or "[" at position 5 of the claim path'],
    ['a["b"]c', 'expected "." or "[" at position 7 of the claim path'],
    ["a[", brackets(2)],
    ["a[1", brackets(2)],
    ["a[12", brackets(2)],
    ["a[]", brackets(2)],
    ["a[-1]", brackets(2)],
    ["a[1x]", brackets(2)],
    ["a[x1]", brackets(2)],
    ["a['x']", brackets(2)],
    ["a[1234567890]", brackets(2)],
    ['ab["x]', quotes(3)],
    ['ab["x"', quotes(3)],
    ['ab["x"y]', quotes(3)],
    ['ab["x\\"]', quotes(3)],
    ['ab["\\q"]', quotes(3)],
    ['ab["\\', quotes(3)],
  ])("%j", (text, problem) => expect(parseClaimPath(text)).toEqual({ problem }));
});

test.each<[string, readonly (string | number)[]]>([
  ["a", ["a"]],
  ["realm_access.roles", ["realm_access", "roles"]],
  ["a.b.c", ["a", "b", "c"]],
  ['["https://example.com/roles"]', ["https://example.com/roles"]],
  ['a["b.c"].d', ["a", "b.c", "d"]],
  ['["a"]["b"]', ["a", "b"]],
  ["groups[0]", ["groups", 0]],
  ["a[12][3].b", ["a", 12, 3, "b"]],
  ["a[123456789]", ["a", 123_456_789]],
  ['a["x\\"]"]', ["a", 'x"]']],
  ['a["\\\\"].b', ["a", "\\", "b"]],
  ['a[""]', ["a", ""]],
  ["a-b:c/d e", ["a-b:c/d e"]],
])("the path %s has the steps %j", (text, steps) =>
  expect(parseClaimPath(text)).toEqual({ text, steps, hopeless: false }),
);

test("a path with a prototype's name at any step finds nothing", () => {
  for (const text of ["__proto__", "a.constructor", 'a["__proto__"].b', "constructor[0]"])
    expect(parseClaimPath(text)).toMatchObject({ hopeless: true });
  expect(parseClaimPath("prototype")).toMatchObject({ hopeless: false });
});

describe("the claim at a path", () => {
  const claims = {
    roles: ["a", ["b"]],
    realm: { roles: ["c"], none: null, "0": "key" },
    text: "abc",
    "": "nameless",
  } satisfies JsonObject;

  test.each<[string, Json | undefined]>([
    ["roles", ["a", ["b"]]],
    ["roles[0]", "a"],
    ["roles[1][0]", "b"],
    ["roles[2]", undefined],
    ["realm.roles[0]", "c"],
    ["realm.none", null],
    ["realm.none.a", undefined],
    ["realm[0]", undefined],
    ["realm.0", "key"],
    ["roles.0", undefined],
    ["roles.length", undefined],
    ["text[0]", undefined],
    ["text.length", undefined],
    ["toString", undefined],
    ["realm.missing.deeper", undefined],
    ['[""]', "nameless"],
  ])("%s is %j", (text, value) => {
    const path = parseClaimPath(text);
    if (isProblem(path)) throw new Error(path.problem);
    expect(readClaim(claims, path)).toEqual(value);
  });
});

test("claims may hold null, and a refusal names the limit", () => {
  expect(boundClaims({ a: null, b: [null] })).toBeNull();
  expect(boundClaims({ a: "x".repeat(64 * 1024) })).toEqual({ problem: "claims may have at most 64 KiB as JSON" });
  expect(boundClaims({ a: [[[[[[[[]]]]]]]] })).toEqual({ problem: "claims may be nested at most 8 deep" });
});
