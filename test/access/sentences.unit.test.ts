import { describe, expect, test } from "vitest";
import { compile } from "@/lib/access/compile";
import type { Pause } from "@/lib/access/configuration";
import { explain } from "@/lib/access/explain";
import type { Explanation, ResolveRequest, RuleRef, Step } from "@/lib/access/resolution";
import { requestOf } from "@/bench/support/workload";
import { configurationOf } from "@/test/access/case-configuration";

// What people read: the sentence of each step, and each change of a fix, with the rules that they link to.

const NOW = Date.UTC(2026, 2, 31, 12);

interface Given {
  readonly tool?: object;
  readonly tools?: readonly object[];
  readonly groups?: readonly object[];
  readonly policies?: readonly object[];
  readonly machines?: readonly object[];
  readonly sources?: readonly object[];
  readonly intents?: readonly object[];
  readonly pauses?: readonly Pause[];
  readonly request?: Partial<ResolveRequest>;
}

/** `x:t` in group `g`, granted to everyone by `p`, but for what is given. */
function explained(given: Given): Explanation {
  const { tool = {}, tools = [], groups, policies, machines, sources, intents, pauses, request } = given;
  const configuration = configurationOf({
    file: "sentences",
    name: "",
    configuration: { apiVersion: "quartermaster/v1" },
    stored: {
      sources: sources ?? [{ name: "x" }],
      tools: [{ id: "x:t", groups: ["g"], ...tool }, ...tools],
      groups: groups ?? [{ name: "g" }],
      policies: policies ?? [{ name: "p", everyone: true, groups: ["g"] }],
      machines,
      intents,
    },
    pauses,
  });
  const found = explain(compile(configuration), { ...requestOf({}), ...request }, "x:t", NOW);
  if (found === null) throw new Error("there is no x:t");
  return found;
}

const named = (refs: readonly RuleRef[]): readonly string[] => refs.map(({ kind, name }) => `${kind} ${name}`);

const everyone = (name: string, groups: readonly string[], over: object = {}): object => ({
  name,
  everyone: true,
  groups,
  ...over,
});
const condition = { claim: "n", operator: "lte", value: 5 };
const pause = (scope: Pause["scope"], name: string | null, reason = ""): Pause => ({ scope, name, reason });
const machine = {
  name: "m",
  initial: "a",
  states: [{ name: "a" }, { name: "b" }, { name: "c" }],
  rules: [{ tool: "x:t", availableIn: ["b", "c"] }],
};

type Sentence = readonly [detail: string, ...refs: readonly string[]];

describe("a step says why it lets a tool through, and by which rules", () => {
  test.each<[string, Step, Given, Sentence]>([
    ["granted", "policy", {}, ["Granted through `g`.", "policy p"]],
    [
      "granted through several groups, by the policies that grant them alone",
      "policy",
      {
        tool: { groups: ["g", "h", "off"] },
        groups: [{ name: "g" }, { name: "h" }, { name: "off", active: false }, { name: "k" }],
        policies: [
          everyone("p", ["g"]),
          everyone("q", ["h", "off"], { arguments: [condition] }),
          everyone("r", ["k"]),
          everyone("s", ["off"]),
          everyone("t", ["g"], { effect: "deny", arguments: [condition] }),
        ],
      },
      ["Granted through `g`, `h`.", "policy p", "policy q"],
    ],
    [
      "something is granted, though not this tool",
      "policy",
      { groups: [{ name: "g" }, { name: "h" }], policies: [everyone("p", ["h"])] },
      ["The caller is granted groups."],
    ],
    ["in a granted group", "group", {}, ["In the granted groups `g`.", "group g"]],
    ["enabled", "enabled", {}, ["The tool and its source are enabled."]],
    ["nothing narrowed", "request", {}, ["The request does not narrow groups."]],
    [
      "asked for",
      "request",
      {
        tool: { groups: ["g", "h"] },
        groups: [{ name: "g" }, { name: "h" }, { name: "k" }],
        request: { group: ["g", "k"] },
      },
      ["The request asks for `g`.", "group g"],
    ],
    ["available", "state", {}, ["Available in state `undefined`."]],
    [
      "available in a machine's state",
      "state",
      { machines: [machine], request: { machine: "m", state: "b" } },
      ["Available in state `b`."],
    ],
    [
      "allowed by all profiles",
      "profile",
      { sources: [{ name: "x", kind: "builtin" }], request: { profiles: ["subagent", "scheduled"] } },
      ["Allowed by `subagent`, `scheduled`.", "profile subagent", "profile scheduled"],
    ],
    ["no requirement", "capability", {}, ["No capability is required."]],
    [
      "requirements met",
      "capability",
      { tool: { requiredCapabilities: ["files.read", "db"] }, request: { capabilities: ["*"] } },
      ["Has `files.read`, `db`."],
    ],
    ["no routing", "tier", {}, ["Routing keeps every tool."]],
    [
      "kept by routing",
      "tier",
      {
        groups: [{ name: "g" }, { name: "h" }],
        intents: [{ name: "I", groups: ["h", "g"] }],
        request: { intent: "I", confidence: 1 },
      },
      ["In a group that routing keeps: `g`, `h`."],
    ],
  ])("%s (%s)", (_name, step, given, [detail, ...refs]) => {
    const found = explained(given).steps.find((one) => one.step === step);
    expect(found).toMatchObject({ passed: true, reason: null, detail });
    expect(named(found?.refs ?? [])).toEqual(refs);
  });
});

describe("a step says why it withholds a tool, and by which rules", () => {
  test.each<[string, Given, Sentence]>([
    [
      "paused",
      { pauses: [pause("all", null, "incident"), pause("source", "y"), pause("agent", "bot")] },
      ["Paused: everything (incident).", "pause all"],
    ],
    [
      "paused",
      {
        pauses: [pause("source", "x"), pause("agent", "bot", "odd calls"), pause("agent", "other")],
        request: { agent: "bot" },
      },
      ["Paused: source `x`, agent `bot` (odd calls).", "pause x", "pause bot"],
    ],
    [
      "denied_by_policy",
      {
        tool: { groups: ["g", "h"] },
        groups: [{ name: "g" }, { name: "h" }, { name: "k" }],
        policies: [
          everyone("p", ["g", "k"]),
          everyone("d", ["g", "h"], { effect: "deny" }),
          everyone("e", ["h"], { effect: "deny" }),
          everyone("f", ["g"], { effect: "deny", arguments: [condition] }),
        ],
      },
      ["`d` denies `g`.", "policy d", "group g"],
    ],
    ["no_policy_grant", { policies: [] }, ["No policy grants this caller anything."]],
    [
      "excluded_from_group",
      {
        groups: [
          {
            name: "g",
            exclude: [
              { tool: "x:u", reason: "another" },
              { tool: "x:t", reason: "too slow" },
            ],
          },
          { name: "h", include: [{ tool: "x:t" }], exclude: [{ tool: "x:t", reason: "" }] },
          { name: "k", include: [{ tool: "x:t" }], exclude: [{ tool: "x:t", reason: "too dear" }] },
          { name: "l", include: [{ tool: "x:t" }], exclude: [{ tool: "x:t", reason: "not granted" }] },
        ],
        policies: [everyone("p", ["g", "h", "k"])],
      },
      ["Excluded from `g`, `h`, `k`: too slow; too dear.", "group g", "group h", "group k"],
    ],
    ["excluded_from_group", { groups: [{ name: "g", exclude: [{ tool: "x:t" }] }] }, ["Excluded from `g`.", "group g"]],
    ["group_inactive", { groups: [{ name: "g", active: false }] }, ["`g` is switched off.", "group g"]],
    [
      "not_in_granted_group",
      {
        tool: { groups: ["g", "h"] },
        groups: [{ name: "g" }, { name: "h" }, { name: "k" }],
        policies: [everyone("p", ["k"])],
      },
      ["In no granted group; it is in `g`, `h`.", "group g", "group h"],
    ],
    [
      "tool_quarantined",
      { tool: { status: "quarantined" } },
      ["Its definition changed and is not yet approved.", "tool x:t"],
    ],
    ["tool_deprecated", { tool: { status: "deprecated" } }, ["It is gone upstream.", "tool x:t"]],
    [
      "source_disabled",
      { sources: [{ name: "x", enabled: false }] },
      ["Source `x` is disabled or missing.", "source x"],
    ],
    ["tool_disabled", { tool: { enabled: false } }, ["The tool is disabled.", "tool x:t"]],
    [
      "group_not_requested",
      {
        tool: { groups: ["g", "h"] },
        groups: [{ name: "g" }, { name: "h" }, { name: "k" }],
        policies: [everyone("p", ["g", "k"])],
        request: { group: ["k"] },
      },
      ["The request asks for `k`, not for `g`.", "group g"],
    ],
    ["group_not_requested", { request: { group: [] } }, ["The request asks for none, not for `g`.", "group g"]],
    [
      "group_not_requested",
      { groups: [{ name: "g" }, { name: "k" }], policies: [everyone("p", ["k"])], request: { group: ["k"] } },
      ["The request asks for `k`, not for `g`.", "group g"],
    ],
    [
      "state_mismatch",
      { tool: { availableInStates: ["b", "c"] }, request: { state: "a" } },
      ["Not available in state `a`; available in `undefined`, `b`, `c`.", "tool x:t"],
    ],
    [
      "state_mismatch",
      { machines: [machine], request: { machine: "m" } },
      ["Not available in state `a`; available in `b`, `c`.", "machine m"],
    ],
    [
      "profile_denied",
      {
        tool: { id: "x:t", operation: "mcp_register_server" },
        request: { profiles: ["main", "scheduled", "subagent"] },
      },
      ["Denied by `scheduled`, `subagent`.", "profile scheduled", "profile subagent"],
    ],
    [
      "profile_drift",
      { request: { profiles: ["subagent", "main"] } },
      ["New or changed since the last review of `subagent`.", "profile subagent"],
    ],
    [
      "capability_missing",
      { tool: { requiredCapabilities: ["a", "b", "c"] }, request: { capabilities: ["b"] } },
      ["Lacks `a`, `c`.", "tool x:t"],
    ],
    [
      "tier_narrowed",
      {
        groups: [{ name: "g" }, { name: "h" }],
        intents: [{ name: "I", groups: ["h"] }],
        request: { intent: "I", confidence: 1 },
      },
      ["Intent `I` keeps `h`.", "intent I"],
    ],
  ])("%s", (reason, given, [detail, ...refs]) => {
    const found = explained(given).steps.find((one) => one.reason === reason);
    expect(found).toMatchObject({ passed: false, detail });
    expect(named(found?.refs ?? [])).toEqual(refs);
  });
});

type Changes = readonly (readonly [kind: string, text: string, ref: string])[];

const role = (value: string) => ({ claim: "role", operator: "equals", value });

describe("a fix says what to change, and where", () => {
  test.each<[string, Given, Changes]>([
    [
      "one matcher",
      { policies: [everyone("p", ["g"], { everyone: false, matchers: [role("a")] })] },
      [["matcher", '1 matcher away: `role` fails "equals `a`" (it is missing)', "policy p"]],
    ],
    [
      "two matchers, of which the first says how many",
      {
        policies: [
          everyone("p", ["g"], {
            everyone: false,
            matchers: [role("a"), { claim: "roles", operator: "contains", value: "b" }],
          }),
        ],
        request: { claims: { role: "z" } },
      },
      [
        ["matcher", '2 matchers away: `role` fails "equals `a`"', "policy p"],
        ["matcher", "`roles` lacks `b`", "policy p"],
      ],
    ],
    [
      "a policy that names nobody",
      { policies: [everyone("p", ["g"], { everyone: false })] },
      [["policy", "give policy `p` a matcher", "policy p"]],
    ],
    [
      "a policy that is switched off",
      { policies: [everyone("p", ["g"], { active: false })] },
      [["policy", "switch policy `p` on", "policy p"]],
    ],
    [
      "a policy that is over",
      { policies: [everyone("p", ["g"], { validUntil: "2026-01-01T00:00:00Z" })] },
      [["policy", "extend policy `p`: it is no longer valid", "policy p"]],
    ],
    [
      "a policy that has not begun",
      { policies: [everyone("p", ["g"], { validFrom: "2027-01-01T00:00:00Z" })] },
      [["policy", "extend policy `p`: it is not yet valid", "policy p"]],
    ],
    [
      "the first of equally near policies",
      {
        policies: [
          everyone("q", ["g"], { active: false, priority: 1 }),
          everyone("p", ["g"], { active: false }),
          everyone("r", ["g"], { everyone: false, matchers: [role("a"), role("b")], priority: 2 }),
        ],
      },
      [["policy", "switch policy `q` on", "policy q"]],
    ],
    ["a group that no policy grants", { policies: [] }, [["policy", "grant group `g` to this caller", "group g"]]],
    [
      "the group `default`, for a tool that is in none",
      { tool: { groups: [] }, policies: [] },
      [
        ["policy", "grant group `default` to this caller", "group default"],
        ["group", "include `x:t` in group `default`", "group default"],
      ],
    ],
    ["an inclusion in a granted group", { tool: { groups: [] } }, [["group", "include `x:t` in group `g`", "group g"]]],
    [
      "a denial, and not one that only looks at arguments",
      {
        policies: [
          everyone("p", ["g"]),
          everyone("d", ["g"], { effect: "deny" }),
          everyone("e", ["g"], { effect: "deny", arguments: [condition] }),
        ],
      },
      [["deny", "lift the denial of group `g` by policy `d`", "policy d"]],
    ],
    [
      "a group that is switched off",
      { groups: [{ name: "g", active: false }] },
      [["group", "switch group `g` on", "group g"]],
    ],
    [
      "an exclusion",
      { groups: [{ name: "g", exclude: [{ tool: "x:t" }] }] },
      [["group", "drop the exclusion of `x:t` from group `g`", "group g"]],
    ],
    ["a request", { request: { group: [] } }, [["request", "request group `g`", "group g"]]],
    [
      "a request for everything, for a tool that is in no group",
      { tool: { groups: [] }, policies: [everyone("p", ["*"])], request: { group: ["g"] } },
      [["request", "request group `*`", "group (ungrouped)"]],
    ],
    [
      "pauses",
      {
        pauses: [pause("all", null), pause("source", "x"), pause("agent", "bot")],
        request: { agent: "bot" },
      },
      [
        ["pause", "end the pause", "pause all"],
        ["pause", "end the pause of source `x`", "pause x"],
        ["pause", "end the pause of agent `bot`", "pause bot"],
      ],
    ],
    [
      "a quarantined tool that is disabled, of a disabled source",
      { tool: { status: "quarantined", enabled: false }, sources: [{ name: "x", enabled: false }] },
      [
        ["enable", "approve the changed definition of `x:t`", "tool x:t"],
        ["enable", "enable source `x`", "source x"],
        ["enable", "enable tool `x:t`", "tool x:t"],
      ],
    ],
    [
      "a deprecated tool",
      { tool: { status: "deprecated" } },
      [["enable", "`x:t` is gone upstream: import it again", "tool x:t"]],
    ],
    [
      "states of the tool's own",
      { tool: { availableInStates: ["b"] }, request: { state: "a" } },
      [["state", "be in one of these states: `undefined`, `b`", "tool x:t"]],
    ],
    [
      "one state of a machine",
      {
        machines: [{ ...machine, rules: [{ tool: "x:t", availableIn: ["b"] }] }],
        request: { machine: "m" },
      },
      [["state", "be in state `b`", "machine m"]],
    ],
    [
      "no state at all",
      {
        machines: [{ ...machine, rules: [{ tool: "x:t", availableIn: [] }] }],
        request: { machine: "m" },
      },
      [["state", "make `x:t` available in a state", "machine m"]],
    ],
    [
      "profiles that deny it",
      {
        tool: { operation: "mcp_register_server" },
        request: { profiles: ["scheduled", "subagent"] },
      },
      [
        ["profile", "use another profile than `subagent`", "profile subagent"],
        ["profile", "use another profile than `scheduled`", "profile scheduled"],
      ],
    ],
    [
      "drift",
      { request: { profiles: ["subagent"] } },
      [["drift", "accept `x:t` for profile `subagent`", "profile subagent"]],
    ],
    [
      "capabilities",
      { tool: { requiredCapabilities: ["a", "b"] } },
      [
        ["capability", "add capability `a`", "tool x:t"],
        ["capability", "add capability `b`", "tool x:t"],
      ],
    ],
    [
      "an intent",
      {
        groups: [{ name: "g" }, { name: "h" }],
        intents: [{ name: "I", groups: ["h"] }],
        request: { intent: "I", confidence: 1 },
      },
      [["tier", "add a group of the tool to intent `I`, or escalate", "intent I"]],
    ],
  ])("%s", (_name, given, changes) => {
    const { fix } = explained(given);
    expect(fix?.size).toBe(changes.length);
    expect(fix?.changes.map(({ kind, text, refs }) => [kind, text, ...named(refs)])).toEqual(changes);
  });
});
