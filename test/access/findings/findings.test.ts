import { describe, expect, test } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import type { JsonObject } from "@/lib/access/model/configuration";
import type { Matcher } from "@/lib/access/model/matcher";
import { findingsHoldUntil } from "@/lib/access/findings/findings";
import { findUnseenClaims } from "@/lib/access/findings/seen";
import {
  agentWith,
  caseConfiguration,
  find,
  has,
  NOW,
  withPolicies,
  world,
  type Given,
} from "@/test/access/findings-of";

describe("a policy that never matches", () => {
  test.each<[string, Given, RegExp]>([
    [
      "a text that must and must not be there",
      { matchers: [has("roles", "contains", "a"), has("roles", "not_contains", "a")] },
      /conditions 1 and 2 together/,
    ],
    [
      "a claim that must be absent and present",
      { matchers: [has("roles", "not_exists"), has("roles", "equals", "a")] },
      /both absent and present/,
    ],
    ["none of no values", { matchers: [has("role", "in", [])] }, /no value of `role` satisfies condition 1\b/],
    ["an empty range of numbers", { matchers: [has("level", "gt", 5), has("level", "lte", 5)] }, /no value of `level`/],
    [
      "an empty range of versions",
      { matchers: [has("v", "semver_gte", "2.0.0"), has("v", "semver_lt", "1.9.0")] },
      /no value of `v`/,
    ],
    [
      "a number outside its range",
      { matchers: [has("level", "equals", "3"), has("level", "gte", 5)] },
      /no value of `level`/,
    ],
    [
      "a scope that must and must not be there",
      { matchers: [has("scope", "has_scope", "a"), has("scope", "lacks_scope", "a")] },
      /no value of `scope`/,
    ],
    [
      "an object that must be a text",
      { matchers: [has("realm", "equals", "a"), has("realm.roles", "contains", "b")] },
      /an object/,
    ],
    [
      "a list and an object in one place",
      { matchers: [has("a[0]", "exists"), has("a.b", "exists")] },
      /needs a list, the other an object/,
    ],
    ["a path that is never found", { matchers: [has("constructor", "exists")] }, /no claim can exist at `constructor`/],
    ["an operator of another version", { matchers: [has("role", "resembles", "a")] }, /cannot be evaluated/],
    [
      "a validity that ends before it begins",
      { validFrom: "2027-01-01T00:00:00Z", validUntil: "2026-12-01T00:00:00Z" },
      /validity period is empty/,
    ],
  ])("because of %s is reported with claims that almost match", (_why, policy, text) => {
    const [finding] = find(withPolicies(policy), "never_matches");
    expect(finding).toMatchObject({ severity: "error", about: { kind: "policy", name: "p1" } });
    expect(finding?.text).toMatch(text);
    expect(finding?.witness?.matched).toEqual([]);
  });

  test.each<[string, readonly Partial<Matcher>[]]>([
    [
      "two texts of a list",
      [has("roles", "contains", "a"), has("roles", "contains", "b"), has("roles", "not_contains", "c")],
    ],
    ["a scope beside a text without it", [has("scope", "has_scope", "a"), has("scope", "not_equals", "a")]],
    ["a range of one number", [has("level", "gte", 5), has("level", "lte", 5)]],
    ["a list that is looked at twice", [has("roles", "exists"), has("roles[0]", "equals", "a")]],
    ["an absent part", [has("realm", "exists"), has("realm.roles", "not_exists")]],
  ])("is not reported for one that needs %s", (_what, matchers) => {
    expect(find(withPolicies({ matchers }), "never_matches")).toEqual([]);
  });

  test("is not reported for a deny with uncomparable claims: doubt counts as held", () => {
    const matchers = [has("roles", "contains", "a"), has("roles", "not_contains", "a")];
    expect(find(withPolicies({ effect: "deny", matchers }), "never_matches")).toEqual([]);
  });
});

describe("a policy that another one makes useless", () => {
  test.each<[string, Given, Given]>([
    ["the same matchers", { matchers: [has("role", "equals", "a")] }, { matchers: [has("role", "equals", "a")] }],
    [
      "fewer matchers",
      { matchers: [has("role", "equals", "a"), has("dept", "equals", "b")] },
      { matchers: [has("role", "equals", "a")] },
    ],
    [
      "more values",
      { matchers: [has("roles", "contains", "a")] },
      { matchers: [has("roles", "contains_any", ["a", "b"])] },
    ],
    ["everyone", { matchers: [has("role", "matches", "^adm")] }, {}],
    [
      "a shorter prefix",
      { matchers: [has("mail", "ends_with", "@eu.example")] },
      { matchers: [has("mail", "ends_with", ".example")] },
    ],
    ["a wider range of numbers", { matchers: [has("level", "gt", 5)] }, { matchers: [has("level", "gte", 5)] }],
    [
      "a wider range of addresses",
      { matchers: [has("ip", "cidr", "10.1.0.0/16")] },
      { matchers: [has("ip", "cidr", "10.0.0.0/8")] },
    ],
    ["mere presence", { matchers: [has("realm.roles", "contains", "a")] }, { matchers: [has("realm", "exists")] }],
    [
      "fewer exclusions",
      { matchers: [has("role", "not_in", ["a", "b"])] },
      { matchers: [has("role", "not_equals", "a")] },
    ],
    [
      "a longer validity",
      { matchers: [has("role", "equals", "a")], validUntil: "2026-12-01T00:00:00Z" },
      { matchers: [has("role", "equals", "a")], validUntil: "2027-01-01T00:00:00Z" },
    ],
  ])("is redundant next to one with %s", (_what, narrow, wide) => {
    // The names let evaluation order alone blame the wrong policy.
    const [finding] = find(withPolicies({ name: "a-narrow", ...narrow }, { name: "b-wide", ...wide }), "redundant");
    const equal = JSON.stringify(narrow) === JSON.stringify(wide);
    expect(finding).toMatchObject({ about: { name: equal ? "b-wide" : "a-narrow" }, severity: "warning" });
    expect(finding?.witness?.matched).toEqual(["a-narrow", "b-wide"]);
  });

  test.each<[string, Given, Given]>([
    ["grants more", { groups: ["readers", "writers"] }, { groups: ["readers"] }],
    [
      "is next to one with argument conditions",
      {},
      { arguments: [{ claim: "n", operator: "lte", value: 5, ignoreCase: false }] },
    ],
    ["outlives it", {}, { validUntil: "2026-12-01T00:00:00Z" }],
    [
      "needs a list element, not one of two",
      { matchers: [has("roles", "contains_any", ["a", "b"])] },
      { matchers: [has("roles", "contains", "a")] },
    ],
    [
      "wants a claim that a list can satisfy too",
      { matchers: [has("level", "equals", 7)] },
      { matchers: [has("level", "gte", 5)] },
    ],
    [
      "leaves another element free",
      { matchers: [has("role", "equals", "a")] },
      { matchers: [has("role", "not_equals", "b")] },
    ],
    ["stands beside one that is switched off", {}, { active: false }],
    [
      "is met by an object, which no negative operator is",
      { matchers: [has("role", "exists")] },
      { matchers: [has("role", "not_in", [])] },
    ],
  ])("is not reported for one that %s", (_what, first, second) => {
    expect(find(withPolicies(first, second), "redundant").filter(({ about }) => about.name === "p1")).toEqual([]);
  });

  test("is shadowed when a deny covers all its grants, whatever the priorities", () => {
    const allow = { matchers: [has("roles", "contains", "a")], priority: 100 };
    const deny = { effect: "deny" as const, matchers: [has("roles", "contains_any", ["a", "b"])], groups: ["*"] };
    const [finding] = find(withPolicies(allow, deny), "shadowed");
    expect(finding).toMatchObject({ severity: "error", refs: [{ kind: "policy", name: "p2" }] });
    expect(finding?.witness).toMatchObject({ matched: ["p1", "p2"], grantedGroups: [] });
    expect(find(withPolicies(allow, { ...deny, groups: ["writers"] }), "shadowed")).toEqual([]);
  });
});

describe("a policy", () => {
  test("that grants to everyone is reported, with or without `everyone`", () => {
    expect(find(withPolicies({}), "matches_everyone")[0]).toMatchObject({ severity: "info" });
    const unmeant = { effect: "deny" as const, matchers: [has("role", "not_in", [])] };
    expect(find(withPolicies(unmeant), "matches_everyone")[0]).toMatchObject({
      severity: "warning",
      witness: { claims: {} },
    });
  });

  test("that has expired is found, an inactive one is ignored", () => {
    const over = { validUntil: "2026-03-31T12:00:00Z" };
    expect(find(withPolicies(over), "expired")).toHaveLength(1);
    expect(find(withPolicies({ ...over, active: false }), "expired")).toEqual([]);
  });

  test("with a regular expression or a time counts as not analysed, never as fine", () => {
    const matchers = [has("mail", "matches", "^a"), has("at", "within_last", "P1D"), has("role", "equals", "a")];
    const [finding] = find(withPolicies({ matchers }), "not_analysed");
    expect(finding).toMatchObject({ severity: "unknown" });
    expect(finding?.text).toMatch(/condition 1 .*regular expression.* condition 2 .*time/);
  });

  test("that grants a missing, inactive or empty group is reported with the group", () => {
    const { groups, ...rest } = withPolicies({ groups: ["readers", "off", "nowhere", "default"] });
    const found = find({ ...rest, groups }, "grants_missing_group", "grants_inactive_group", "grants_empty_group");
    expect(found.map(({ kind, what }) => [kind, what])).toEqual([
      ["grants_missing_group", "nowhere"],
      ["grants_inactive_group", "off"],
      ["grants_empty_group", "default"],
    ]);
  });
});

describe("a group", () => {
  test("whose selectors match no tool is found, with the failing selector", () => {
    const groups = [
      { name: "none", selectors: [{ requiredTags: ["r"] }, { source: "y" }] },
      { name: "both", selectors: [{ requiredTags: ["r"] }, { requiredTags: ["w"] }], include: [{ tool: "x:read" }] },
      { name: "blank" },
    ];
    const found = find(caseConfiguration({ ...world, groups }), "group_selects_nothing");
    expect(found.map(({ about, what }) => [about.name, what])).toEqual([
      ["blank", ""],
      ["both", "selectors"],
      ["none", "selector 2"],
    ]);
  });

  test("with a useless exclusion is found", () => {
    const exclude = [{ tool: "x:read" }, { tool: "x:write" }, { tool: "x:gone" }];
    const groups = [{ name: "readers", selectors: [{ requiredTags: ["r"] }], exclude }];
    const found = find(caseConfiguration({ ...world, groups }), "exclusion_hits_nothing");
    expect(found.map(({ what }) => what)).toEqual(["x:gone", "x:write"]);
  });
});

describe("an unreachable part", () => {
  test("is a tool in no granted group, but not one that some caller may get", () => {
    const some = withPolicies({ matchers: [has("role", "equals", "a")] });
    expect(find(some, "tool_not_granted").map(({ about }) => about.name)).toEqual(["x:write"]);
    const never = withPolicies({ matchers: [has("role", "in", [])], groups: ["*"] });
    expect(find(never, "tool_not_granted")).toHaveLength(2);
    expect(find(withPolicies({ groups: ["*"] }), "tool_not_granted")).toEqual([]);
  });

  test("is a state that no transition enters", () => {
    const states = ["start", "middle", "end"].map((name) => ({ name }));
    const rules = [
      {
        tool: "x:read",
        transitions: [
          { from: "*", to: "middle" },
          { from: "end", to: "end" },
        ],
      },
    ];
    const machines = [{ name: "m", initial: "start", states, rules }];
    const found = find(caseConfiguration({ ...world, machines }), "state_never_entered");
    expect(found).toMatchObject([{ about: { kind: "machine", name: "m" }, what: "end" }]);
  });

  test("is a profile's entry without a tool", () => {
    const agents = [agentWith({ name: "joiner", profile: "a2a-synthesis" })];
    const found = find({ ...caseConfiguration(world), agents }, "profile_entry_unused");
    expect(found.map(({ about, what }) => `${about.name} ${what}`)).toContain("a2a-synthesis denies the source a2a");
    const tools = [...world.tools, { id: "a2a:ask" }];
    const after = find(
      { ...caseConfiguration({ ...world, sources: [{ name: "x" }, { name: "a2a" }], tools }), agents },
      "profile_entry_unused",
    );
    expect(after.map(({ about }) => about.name)).not.toContain("a2a-synthesis");
  });
});

describe("claims that recent callers carried", () => {
  const configuration = withPolicies(
    { matchers: [has("realm.roles", "contains", "finance-admn"), has("dept", "in", ["a", "b"])] },
    { matchers: [has("roles", "contains", "x"), has("auth_time", "exists"), has("gone", "not_exists")] },
  );
  const callers: readonly JsonObject[] = Array.from({ length: 6 }, (_, n) => ({
    sub: String(n),
    realm: { roles: ["finance-admin"] },
    dept: n < 3 ? "a" : "c",
  }));
  const unlogged = new Set(["auth_time"]);
  const look = (given: readonly JsonObject[]) =>
    findUnseenClaims(compile(configuration), { callers: given, unlogged, mask: "[redacted]" }).map(
      ({ kind, about, what }) => [kind, about.name, what],
    );

  test("name paths and values that no caller has, except those that the log does not store", () => {
    expect(look(callers)).toEqual([
      ["value_never_seen", "p1", "realm.roles"],
      ["value_never_seen", "p1", "dept"],
      ["claim_never_carried", "p2", "roles"],
    ]);
  });

  test("give no finding when they are few or masked", () => {
    expect(look(callers.slice(0, 4))).toEqual([]);
    const masked = callers.map((claims) => ({ ...claims, realm: { roles: ["[redacted]"] }, dept: "[redacted]" }));
    expect(look(masked).map(([, , what]) => what)).toEqual(["roles"]);
  });
});

test("findings hold until a policy begins or ends", () => {
  const index = compile(withPolicies({ validFrom: "2026-01-01T00:00:00Z", validUntil: "2026-04-01T00:00:00Z" }));
  expect(findingsHoldUntil(index, NOW)).toBe(Date.UTC(2026, 3, 1));
  expect(findingsHoldUntil(compile(withPolicies({})), NOW)).toBe(Number.POSITIVE_INFINITY);
});
