import { expect, test } from "vitest";
import type { Matcher } from "@/lib/access/model/matcher";
import { caseConfiguration, find, has, withPolicies, world, type Given } from "@/test/access/findings-of";

/** The found pairs as text: "p2 redundant by p1". */
const pairs = (...policies: readonly Given[]): readonly string[] => {
  const groups = caseConfiguration({ ...world, groups: [...world.groups, { name: "third" }] }).groups;
  return find({ ...withPolicies(...policies), groups }, "redundant", "shadowed").map(
    ({ about, kind, what }) => `${about.name} ${kind} by ${what}`,
  );
};
const a = { matchers: [has("roles", "contains", "a")] };
const ab = { matchers: [has("roles", "contains_any", ["a", "b"])] };
const deny = { effect: "deny" as const };
const condition = (value: number): Matcher => ({ claim: "n", operator: "lte", value, ignoreCase: false });
const conditional = (...values: readonly number[]) => ({ arguments: values.map(condition) });

test("of equal policies the first in evaluation order stays, so that all reported ones can be deleted", () => {
  expect(pairs(a, a, a)).toEqual(["p2 redundant by p1", "p3 redundant by p1"]);
  expect(pairs(a, { ...a, priority: 1 }, a)).toEqual(["p1 redundant by p2", "p3 redundant by p2"]);
  expect(pairs({ ...a, ...deny }, { ...a, ...deny })).toEqual(["p2 redundant by p1"]);
});

test("of several covering policies the first in evaluation order is named", () => {
  expect(pairs(a, {}, a)).toEqual(["p1 redundant by p2", "p3 redundant by p1"]);
});

test("a request policy is redundant only when the other offers as many hours and the same approvers", () => {
  const request = (hours: number, ...approvers: readonly string[]): Given => ({
    effect: "request",
    maxHours: hours,
    approvers: approvers.length === 0 ? null : approvers,
  });
  const ofA = (policy: Given): Given => ({ ...a, ...policy });
  expect(pairs(request(8), ofA(request(720)))).toEqual([]);
  expect(pairs(request(8), ofA(request(8, "alice")))).toEqual([]);
  expect(pairs(request(720), ofA(request(8)))).toEqual(["p2 redundant by p1"]);
  expect(pairs(request(8), request(720))).toEqual(["p1 redundant by p2"]);
  expect(pairs(request(8, "alice", "bob"), ofA(request(8, "bob", "alice")))).toEqual(["p2 redundant by p1"]);
  expect(pairs({}, ofA(request(8, "alice")))).toEqual(["p2 redundant by p1"]);
});

test("a request policy with access grants in force is not redundant: its deletion would end them", () => {
  const request: Given = { effect: "request", maxHours: 8 };
  const found = (until: string) => {
    const times = { from: "2026-03-01T00:00:00.000Z", until };
    const grant = {
      id: "g",
      policy: "p2",
      tool: "x:read",
      issuer: "https://i",
      subject: "bob",
      client: null,
      ...times,
    };
    return find({ ...withPolicies(request, request), accessGrants: [grant] }, "redundant").length;
  };
  expect(found("2026-04-30T00:00:00.000Z")).toBe(0);
  expect(found("2026-03-02T00:00:00.000Z")).toBe(1);
});

test("a pair without a cover is not reported", () => {
  const suspected = (...policies: readonly Given[]) => find(withPolicies(...policies), "not_analysed");
  expect(suspected(a, { ...ab, validFrom: "2026-06-01T00:00:00Z" })).toEqual([]);
  expect(suspected({ ...a, ...deny }, ab)).toEqual([]);
  expect(suspected(a)).toEqual([]);
});

test("the wider one makes the narrower one redundant, whichever comes first", () => {
  expect(pairs(a, ab)).toEqual(["p1 redundant by p2"]);
  expect(pairs(ab, a)).toEqual(["p2 redundant by p1"]);
});

test("a policy is redundant only when the other grants all its groups", () => {
  const to = (...groups: readonly string[]): Given => ({ ...a, groups });
  expect(pairs(to("readers", "writers"), to("readers"))).toEqual(["p2 redundant by p1"]);
  expect(pairs(to("third", "readers"), to("writers", "third", "readers"))).toEqual(["p1 redundant by p2"]);
  expect(pairs(to("third"), to("readers", "writers"))).toEqual([]);
  expect(pairs(to("readers", "third"), to("readers", "writers"))).toEqual([]);
  expect(pairs(to("*"), to("readers", "writers"))).toEqual(["p2 redundant by p1"]);
  expect(pairs(to("*"), to("*", "readers"))).toEqual(["p2 redundant by p1"]);
  expect(pairs(to("readers", "writers", "third", "off", "default"), to("*"))).toEqual(["p1 redundant by p2"]);
  expect(pairs(to("nowhere"), to("nowhere"))).toEqual([]);
});

test("argument conditions must be equal, or absent from the wider policy", () => {
  expect(pairs(a, { ...a, ...conditional(5) })).toEqual(["p2 redundant by p1"]);
  expect(pairs({ ...a, ...conditional(5) }, { ...a, ...conditional(5) })).toEqual(["p2 redundant by p1"]);
  expect(pairs({ ...a, ...conditional(5) }, { ...a, ...conditional(6) })).toEqual([]);
  expect(pairs({ ...a, ...conditional(5) }, { ...a, ...conditional(5, 6) })).toEqual([]);
  expect(pairs({ ...ab, ...conditional(5) }, a)).toEqual([]);
});

test("a deny shadows an allow whose groups it denies completely", () => {
  expect(pairs(a, { ...ab, ...deny })).toEqual(["p1 shadowed by p2"]);
  expect(pairs({ ...a, ...conditional(5) }, { ...ab, ...deny })).toEqual(["p1 shadowed by p2"]);
  expect(pairs(a, { ...ab, ...deny, ...conditional(5) })).toEqual([]);
  expect(pairs({ ...a, ...conditional(5) }, { ...a, ...deny, ...conditional(5) })).toEqual([]);
  expect(pairs(ab, { ...a, ...deny })).toEqual([]);
  expect(pairs({ ...a, ...deny }, ab)).toEqual([]);
});

test("the wider policy must apply whenever the other does, from now on", () => {
  const [past, now, soon, later] = [
    "2026-01-01T00:00:00Z",
    "2026-03-31T12:00:00Z",
    "2026-06-01T00:00:00Z",
    "2026-09-01T00:00:00Z",
  ];
  expect(pairs(a, { ...ab, validFrom: past })).toEqual(["p1 redundant by p2"]);
  expect(pairs(a, { ...ab, validFrom: now })).toEqual(["p1 redundant by p2"]);
  expect(pairs(a, { ...ab, validFrom: soon })).toEqual([]);
  expect(pairs({ ...a, validFrom: later }, { ...ab, validFrom: soon })).toEqual(["p1 redundant by p2"]);
  expect(pairs({ ...a, validFrom: soon }, { ...ab, validFrom: later })).toEqual([]);
  expect(pairs({ ...a, validUntil: later }, { ...ab, validUntil: later })).toEqual(["p1 redundant by p2"]);
  expect(pairs({ ...a, validUntil: later }, { ...ab, validUntil: soon })).toEqual([]);
  // Equal except for validity: the one that lasts longer stays, in any order.
  expect(pairs({ ...a, validUntil: soon }, a)).toEqual(["p1 redundant by p2"]);
  expect(pairs({ ...a, validFrom: past }, { ...a, validFrom: now })).toEqual(["p2 redundant by p1"]);
  expect(pairs({ ...a, validFrom: soon }, a)).toEqual(["p1 redundant by p2"]);
});

test("pairs are found under every index key: a text, one of several, a prefix or none", () => {
  const on = (...matchers: readonly Partial<Matcher>[]): Given => ({ matchers });
  const [role, dept] = [has("role", "equals", "x"), has("dept", "in", ["m", "n"])];
  expect(pairs(on(role, dept), on(dept))).toEqual(["p1 redundant by p2"]);
  expect(pairs(on(role, dept), on(role))).toEqual(["p1 redundant by p2"]);
  expect(pairs(on(has("mail", "starts_with", "ab")), on(has("mail", "starts_with", "a")))).toEqual([
    "p1 redundant by p2",
  ]);
  expect(pairs(on(role), on({ ...role, value: "X", ignoreCase: true }))).toEqual(["p1 redundant by p2"]);
  expect(pairs(on(role), {})).toEqual(["p1 redundant by p2"]);
  expect(pairs({ ...on(role), groups: ["*"] }, { groups: ["*"] })).toEqual(["p1 redundant by p2"]);
});
