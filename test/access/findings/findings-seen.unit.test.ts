import { expect, test } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import type { JsonObject } from "@/lib/access/model/configuration";
import type { Matcher } from "@/lib/access/model/matcher";
import { findUnseenClaims } from "@/lib/access/findings/seen";
import { has, inWords, withPolicies, type Given } from "@/test/access/findings-of";

const unseen = (policies: readonly Given[], callers: readonly JsonObject[], unlogged: readonly string[] = []) =>
  inWords(
    findUnseenClaims(compile(withPolicies(...policies)), { callers, unlogged: new Set(unlogged), mask: "[redacted]" }),
  );
const times = (count: number, claims: JsonObject): readonly JsonObject[] =>
  Array.from({ length: count }, (_, n) => ({ ...claims, sub: String(n) }));
const asks = (...matchers: readonly Partial<Matcher>[]): Given => ({ matchers });

test("a claim that nobody carried is reported with the number of callers", () => {
  expect(unseen([asks(has("realm.roles", "contains", "a"))], times(6, { realm: {} }))).toEqual([
    {
      kind: "claim_never_carried",
      severity: "warning",
      about: "policy p1",
      what: "realm.roles",
      text: "`p1` reads `realm.roles`, but none of the last 6 callers had this claim.",
      fix: "Compare the path with a real token: paste one into the preview.",
      refs: [],
    },
  ]);
});

test("a value that nobody had is reported with the number of callers with the claim", () => {
  const callers = [...times(5, { role: "b" }), ...times(3, {})];
  expect(unseen([asks(has("role", "equals", "a"))], callers)).toEqual([
    {
      kind: "value_never_seen",
      severity: "info",
      about: "policy p1",
      what: "role",
      text: "`p1` expects `a` in `role`, but none of the last 5 callers with this claim had such a value.",
      fix: "Check the spelling. Ignore this if the value is new or rare.",
      refs: [],
    },
  ]);
});

test("a sentence names five values and the number of the others", () => {
  const texts = (values: string) => unseen([asks(has("role", "in", values))], times(5, { role: "z" }))[0]?.text;
  expect(texts("a,b,c,d,e")).toMatch(/^`p1` expects `a`, `b`, `c`, `d`, `e` in `role`, but /);
  expect(texts("a,b,c,d,e,f,g")).toMatch(/^`p1` expects `a`, `b`, `c`, `d`, `e` and 2 more in `role`, but /);
  const twice = asks(has("role", "equals", "a"), has("role", "contains_any", ["a", "b"]));
  expect(unseen([twice], times(5, { role: "z" }))[0]?.text).toMatch(/^`p1` expects `a`, `b` in `role`, but /);
});

test.each<[string, Partial<Matcher>, JsonObject]>([
  ["an element of a list", has("role", "contains", "a"), { role: ["b", "a"] }],
  ["a number of that text", has("role", "equals", "5"), { role: 5 }],
  ["a word of a scope", has("role", "has_scope", "a"), { role: "b a" }],
  ["a list's element as a scope", has("role", "has_scope", "a"), { role: ["a"] }],
  ["another case, where case is ignored", { ...has("role", "equals", "A"), ignoreCase: true }, { role: "a" }],
  ["another case, where only the claim differs", { ...has("role", "equals", "a"), ignoreCase: true }, { role: "A" }],
  ["what must not be there", has("role", "not_equals", "a"), { role: "b" }],
  ["what has no values to look for", has("role", "starts_with", "a"), { role: "b" }],
  ["presence", has("role", "exists"), { role: "b" }],
  ["absence", has("other", "not_exists"), { role: "b" }],
  ["a path that is never found", has("constructor", "equals", "a"), { role: "b" }],
  ["a masked value", has("role", "equals", "a"), { role: "[redacted]" }],
  ["a value masked in part", has("role", "equals", "a"), { role: "x [redacted]" }],
  ["a masked element", has("role", "contains", "a"), { role: ["b", "[redacted]"] }],
])("there is no finding about %s", (_what, matcher, claims) =>
  expect(unseen([asks(matcher)], times(5, claims))).toEqual([]),
);

test.each<[string, Partial<Matcher>, JsonObject]>([
  ["a word, where the whole text counts", has("role", "equals", "a"), { role: "b a" }],
  ["a part of a text", has("role", "contains", "a"), { role: "ab" }],
  ["another case, where case counts", has("role", "equals", "A"), { role: "a" }],
  ["an object, which has no text", has("role", "equals", "a"), { role: { a: "a" } }],
  ["an element that is no text", has("role", "contains", "a"), { role: [{ a: "a" }, null] }],
  ["a mask in an object, which nobody reads", has("role", "equals", "a"), { role: { a: "[redacted]" } }],
])("is not had by %s", (_what, matcher, claims) =>
  expect(unseen([asks(matcher)], times(5, claims)).map(({ kind }) => kind)).toEqual(["value_never_seen"]),
);

test("fewer than five callers, or callers with the claim, give no finding", () => {
  const policy = [asks(has("role", "equals", "a"))];
  expect(unseen(policy, times(4, {}))).toEqual([]);
  expect(unseen(policy, times(5, {}))).toHaveLength(1);
  expect(unseen(policy, [...times(4, { role: "b" }), ...times(4, {})])).toEqual([]);
});

test("a path counts as intentionally absent only when no other matcher reads it", () => {
  const both = asks(has("role", "not_exists"), has("role", "equals", "a"));
  expect(unseen([both], times(5, {})).map(({ kind }) => kind)).toEqual(["claim_never_carried"]);
});

test("claims that the log does not keep, and inactive policies, give no finding", () => {
  expect(unseen([asks(has("auth_time.at", "exists"))], times(5, {}), ["auth_time"])).toEqual([]);
  expect(unseen([{ ...asks(has("role", "exists")), active: false }], times(5, {}))).toEqual([]);
});

test("policies that read one path get separate findings", () => {
  const policies = [asks(has("role", "equals", "a")), asks(has("role", "equals", "b"), has("gone", "exists"))];
  expect(unseen(policies, times(5, { role: "b" })).map(({ about, what }) => [about, what])).toEqual([
    ["policy p1", "role"],
    ["policy p2", "gone"],
  ]);
});

test("a caller counts once, however many elements its list has, and an empty list is carried", () => {
  const policy = [asks(has("roles", "contains", "a"))];
  expect(unseen(policy, [...times(4, { roles: ["b", "c", "d"] }), ...times(4, {})])).toEqual([]);
  expect(unseen(policy, times(5, { roles: ["b", "c"] }))[0]?.text).toMatch(/none of the last 5 callers with/);
  expect(unseen(policy, times(5, { roles: [] })).map(({ kind }) => kind)).toEqual(["value_never_seen"]);
});
