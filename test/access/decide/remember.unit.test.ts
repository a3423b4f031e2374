import { describe, expect, test } from "vitest";
import { configurationOf, callersOf } from "@/bench/support/workload";
import { requestOf } from "@/lib/access/model/request";
import { compile } from "@/lib/access/compile/compile";
import type { Configuration, JsonObject, Policy } from "@/lib/access/model/configuration";
import type { Matcher } from "@/lib/access/model/matcher";
import { createResolver } from "@/lib/access/decide/remember";
import { resolve } from "@/lib/access/decide/resolve";

const NOW = Date.UTC(2026, 0, 1);
const small = configurationOf({ tools: 40, groups: 4, policies: 0 });
const allow = (over: Partial<Policy>): Policy => ({
  name: "p",
  description: "",
  effect: "allow",
  priority: 0,
  active: true,
  validFrom: null,
  validUntil: null,
  matchers: [],
  everyone: false,
  arguments: [],
  groups: ["group-1"],
  ...over,
});
const matcher = (claim: string, operator: string, value: Matcher["value"]): Matcher => ({
  claim,
  operator,
  value,
  ignoreCase: false,
});
const withPolicies = (...policies: readonly Policy[]): Configuration => ({ ...small, policies });
const iso = (time: number) => new Date(time).toISOString();

describe("a cached answer expires when time can change it", () => {
  test.each([
    ["a policy begins", allow({ everyone: true, validFrom: iso(NOW + 60_000) }), {}, 60_000],
    ["a policy ends", allow({ everyone: true, validUntil: iso(NOW + 60_000) }), {}, 60_000],
    [
      "a time is reached",
      allow({ matchers: [matcher("at", "within_last", "P1D")] }),
      { at: iso(NOW + 60_000) },
      60_000,
    ],
    [
      "a time is too long ago",
      allow({ matchers: [matcher("at", "within_last", "PT2H")] }),
      { at: iso(NOW - 7_140_000) },
      60_001,
    ],
    [
      "a time comes near",
      allow({ matchers: [matcher("at", "within_next", "PT1M")] }),
      { at: iso(NOW + 120_000) },
      60_000,
    ],
    ["a time is over", allow({ matchers: [matcher("at", "within_next", "P1M")] }), { at: iso(NOW + 60_000) }, 60_001],
  ] as const)("%s", (_name, policy, claims: JsonObject, flip) => {
    const index = compile(withPolicies(policy));
    const resolver = createResolver();
    const counts = [0, flip - 1, flip, flip - 1, 0].map((after) => {
      const remembered = resolver.resolve(index, requestOf(claims), NOW + after);
      expect(remembered).toEqual(resolve(index, requestOf(claims), NOW + after));
      return remembered.tools.length;
    });
    expect(new Set(counts)).toEqual(new Set([0, 10]));
  });
});

test("callers who differ only in claims that no policy reads share one entry", () => {
  const index = compile(withPolicies(allow({ matchers: [matcher("realm_access.roles", "contains", "a")] })));
  const resolver = createResolver();
  const caller = (n: number): JsonObject => ({ jti: `${n}`, exp: n, sub: `user-${n}`, realm_access: { roles: ["a"] } });
  const answers = Array.from({ length: 20 }, (_, n) => resolver.resolve(index, requestOf(caller(n)), NOW));
  expect(new Set(answers).size).toBe(1);
  expect(resolver.size(index)).toEqual({ access: 1, manifests: 1 });
});

test("callers with the same matching policies share one list", () => {
  const index = compile(withPolicies(allow({ matchers: [matcher("team", "starts_with", "a")] })));
  const resolver = createResolver();
  const [one, two] = ["a1", "a2"].map((team) => resolver.resolve(index, requestOf({ team }), NOW));
  expect(one).toBe(two);
});

test("callers with long claims and requests never share an entry by mistake", () => {
  const index = compile(withPolicies(allow({ matchers: [matcher("roles", "contains", "last")] })));
  const resolver = createResolver();
  const roles = Array.from({ length: 300 }, (_, n) => `role-${n}`);
  const answer = (last: string, capability = "x") =>
    resolver.resolve(index, { ...requestOf({ roles: [...roles, last] }), capabilities: [...roles, capability] }, NOW);
  expect([answer("last").tools.length, answer("none").tools.length, answer("last").tools.length]).toEqual([10, 0, 10]);
  expect(resolver.size(index)).toEqual({ access: 2, manifests: 2 });
  expect(answer("last")).toBe(answer("last"));
  expect(answer("last", "y")).not.toBe(answer("last"));
  expect(resolver.size(index)).toEqual({ access: 2, manifests: 3 });
});

test("equal claims share an entry, whatever the order of their keys", () => {
  const index = compile(withPolicies(allow({ matchers: [matcher("realm.role", "equals", "a")] })));
  const resolver = createResolver();
  resolver.resolve(index, requestOf({ realm: { role: "a", other: 1 } }), NOW);
  resolver.resolve(index, requestOf({ realm: { other: 1, role: "a" } }), NOW);
  expect(resolver.size(index)).toEqual({ access: 1, manifests: 1 });
});

test("names and values of claims never mix in a cache key", () => {
  const reads = (claim: string, value: string) => matcher(claim, "equals", value);
  const index = compile(
    withPolicies(
      allow({ name: "a", matchers: [reads("a", "b")] }),
      allow({ name: "b", matchers: [reads('["a\\":\\"b"]', "c")], groups: ["group-2"] }),
    ),
  );
  const resolver = createResolver();
  for (const claims of [{ a: "b" }, { 'a":"b': "c" }, { a: "b", 'a":"b': "c" }])
    expect(resolver.resolve(index, requestOf(claims), NOW)).toEqual(resolve(index, requestOf(claims), NOW));
});

test("a paused agent never gets another agent's answer; agents without a pause share one", () => {
  const pauses = [{ scope: "agent" as const, target: "bot", reason: "" }];
  const index = compile({ ...withPolicies(allow({ everyone: true })), pauses });
  const resolver = createResolver();
  const as = (agent: string | null) => resolver.resolve(index, { ...requestOf({}), agent }, NOW);
  expect([as(null), as("bot"), as("other")].map(({ tools }) => tools.length)).toEqual([10, 0, 10]);
  expect(as("other")).toBe(as(null));
});

test("skipCache neither reads nor fills the caches, and 0 seconds turns one off", () => {
  const index = compile(withPolicies(allow({ everyone: true })));
  const resolver = createResolver();
  const first = resolver.resolve(index, requestOf({}), NOW, { skipCache: true });
  expect(resolver.size(index)).toEqual({ access: 0, manifests: 0 });
  expect(resolver.resolve(index, requestOf({}), NOW)).toEqual(first);
  const off = compile({
    ...index.config,
    settings: { ...index.config.settings, cache: { accessSeconds: 0, groupSeconds: 0 } },
  });
  resolver.resolve(off, requestOf({}), NOW);
  expect(resolver.size(off)).toEqual({ access: 0, manifests: 0 });
});

test("a cached answer lives as long as the setting says", () => {
  const index = compile(withPolicies(allow({ everyone: true })));
  const resolver = createResolver();
  const first = resolver.resolve(index, requestOf({}), NOW);
  expect(resolver.resolve(index, requestOf({}), NOW + 599_999)).toBe(first);
  expect(resolver.resolve(index, requestOf({}), NOW + 600_000)).not.toBe(first);
});

test("the caches stay bounded with any number of callers", () => {
  const index = compile(configurationOf({ tools: 200, groups: 10, policies: 100 }));
  const resolver = createResolver({ mostCallers: 5, mostEntries: 300 });
  for (const claims of callersOf(100)) resolver.resolve(index, requestOf(claims), NOW);
  expect(resolver.size(index).access).toBeLessThanOrEqual(5);
  expect(resolver.size(index).manifests).toBeLessThanOrEqual(300);
});

test("a list weighs as many entries as it has tools, and one", () => {
  const index = compile(withPolicies(allow({ everyone: true })));
  const resolver = createResolver({ mostEntries: 22 });
  for (const capability of ["a", "b", "c"])
    resolver.resolve(index, { ...requestOf({}), capabilities: [capability] }, NOW);
  expect(resolver.size(index).manifests).toBe(2);
});

test("a new revision never meets an old answer", () => {
  const resolver = createResolver();
  const before = compile(withPolicies(allow({ everyone: true })));
  const after = compile({ ...withPolicies(), revision: 2 });
  expect(resolver.resolve(before, requestOf({}), NOW).tools).toHaveLength(10);
  expect(resolver.resolve(after, requestOf({}), NOW)).toMatchObject({ revision: 2, tools: [] });
});
