import { describe, expect, test } from "vitest";
import { condition, everyone, explained, machine, named, pause, type Given } from "@/test/access/explained";

type Changes = readonly (readonly [kind: string, text: string, ref?: string])[];

const role = (value: string) => ({ claim: "role", operator: "equals", value });

describe("a fix says what to change, and where", () => {
  test.each<[string, Given, Changes]>([
    [
      "one matcher",
      { policies: [everyone("p", ["g"], { everyone: false, matchers: [role("a")] })] },
      [["matcher", "match policy `p`: `role` equals `a`", "policy p"]],
    ],
    [
      "a request that a person would have to grant",
      { policies: [everyone("p", ["g"], { effect: "request", maxHours: 8 })] },
      [["access", "request access: policy `p` offers it for up to 8 hours", "policy p"]],
    ],
    [
      "a condition less, before a person grants the request",
      { policies: [everyone("p", ["g"], { effect: "request", maxHours: 1, everyone: false, matchers: [role("a")] })] },
      [
        ["matcher", "match policy `p`: `role` equals `a`", "policy p"],
        ["access", "request access: policy `p` offers it for up to 1 hour", "policy p"],
      ],
    ],
    [
      "two matchers, of which the first names the policy",
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
        ["matcher", "match policy `p`: `role` equals `a`", "policy p"],
        ["matcher", "`roles` contains `b`", "policy p"],
      ],
    ],
    [
      "of two equal changes, the policy that limits arguments",
      {
        policies: [
          everyone("a", ["g"], { everyone: false, matchers: [role("a")] }),
          everyone("p", ["g"], {
            everyone: false,
            matchers: [role("b")],
            arguments: [{ claim: "amount", operator: "lte", value: 100 }],
          }),
        ],
      },
      [["matcher", "match policy `p`: `role` equals `b`", "policy p"]],
    ],
    [
      "a policy that names nobody",
      { policies: [everyone("p", ["g"], { everyone: false })] },
      [["policy", "give policy `p` a condition", "policy p"]],
    ],
    [
      "a policy that is switched off",
      { policies: [everyone("p", ["g"], { active: false })] },
      [["policy", "activate policy `p`", "policy p"]],
    ],
    [
      "a policy that is over",
      { policies: [everyone("p", ["g"], { validUntil: "2026-01-01T00:00:00Z" })] },
      [["policy", "extend policy `p`: it is no longer valid", "policy p"]],
    ],
    [
      "a policy that is switched off and over",
      { policies: [everyone("p", ["g"], { active: false, validUntil: "2026-01-01T00:00:00Z" })] },
      [
        ["policy", "activate policy `p`", "policy p"],
        ["policy", "extend policy `p`: it is no longer valid", "policy p"],
      ],
    ],
    [
      "an observed policy that is over",
      { policies: [everyone("p", ["g"], { mode: "observe", validUntil: "2026-01-01T00:00:00Z" })] },
      [
        ["policy", "enforce policy `p`", "policy p"],
        ["policy", "extend policy `p`: it is no longer valid", "policy p"],
      ],
    ],
    [
      "a deny of every tool, for a tool in no group while a group is in error",
      {
        tool: { groups: [] },
        groups: [{ name: "bad", selectors: [{ name: "regex:(" }] }],
        policies: [everyone("d", ["*"], { effect: "deny" })],
      },
      [
        ["group", "create a group that holds only `x:t`", "tool x:t"],
        ["policy", "grant this group to this caller"],
        ["deny", "stop policy `d` from denying every tool", "policy d"],
      ],
    ],
    [
      "a stored flow rule without labels, which no clearing lifts",
      { flows: [{ name: "f", when: [], restrict: [{ tool: "x:t" }] }] },
      [["flow", "change flow rule `f`", "flow f"]],
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
      [["policy", "activate policy `q`", "policy q"]],
    ],
    ["a group that no policy grants", { policies: [] }, [["policy", "grant group `g` to this caller", "group g"]]],
    [
      "a new group with the tool alone, for a tool that is in none",
      { tool: { groups: [] }, policies: [] },
      [
        ["group", "create a group that holds only `x:t`", "tool x:t"],
        ["policy", "grant this group to this caller"],
      ],
    ],
    ["an inclusion in a granted group", { tool: { groups: [] } }, [["group", "include `x:t` in group `g`", "group g"]]],
    [
      "of two inclusions the one that brings fewer tools with side effects, then fewer tools, then the first by name",
      {
        tool: { groups: [] },
        others: [
          { id: "x:write", groups: ["a"], hasSideEffects: true },
          { id: "x:read", groups: ["b", "c", "g"] },
          { id: "x:other", groups: ["b"] },
        ],
        groups: [{ name: "a" }, { name: "b" }, { name: "c" }, { name: "g" }],
        policies: [everyone("p", ["a", "b", "c", "g"])],
      },
      [["group", "include `x:t` in group `c`", "group c"]],
    ],
    [
      "a group for the tool alone, when it has side effects and the granted groups only read",
      {
        tool: { groups: [], hasSideEffects: true },
        others: [{ id: "x:read", groups: ["g"] }],
      },
      [
        ["group", "create a group that holds only `x:t`", "tool x:t"],
        ["policy", "grant this group to this caller"],
      ],
    ],
    [
      "for a tool with side effects, an inclusion beside another one",
      {
        tool: { groups: [], hasSideEffects: true },
        others: [
          { id: "x:read", groups: ["g"] },
          { id: "x:write", groups: ["w"], hasSideEffects: true },
        ],
        groups: [{ name: "g" }, { name: "w" }],
        policies: [everyone("p", ["g", "w"])],
      },
      [["group", "include `x:t` in group `w`", "group w"]],
    ],
    [
      "a denial, and not one that only looks at arguments",
      {
        policies: [
          everyone("p", ["g"]),
          everyone("d", ["g"], { effect: "deny" }),
          everyone("e", ["g"], { effect: "deny", arguments: [condition] }),
        ],
      },
      [["deny", "stop policy `d` from denying group `g`", "policy d"]],
    ],
    [
      "a group that is switched off",
      { groups: [{ name: "g", active: false }] },
      [["group", "activate group `g`", "group g"]],
    ],
    [
      "an exclusion",
      { groups: [{ name: "g", exclude: [{ tool: "x:t" }] }] },
      [["group", "remove the exclusion of `x:t` from group `g`", "group g"]],
    ],
    [
      "a request",
      { request: { group: [] } },
      [["request", "name the group `g` in the `group` of the request or session", "group g"]],
    ],
    [
      "a request for everything, for a tool that is in no group",
      { tool: { groups: [] }, policies: [everyone("p", ["*"])], request: { group: ["g"] } },
      [["request", "name the group `*` in the `group` of the request or session", "group (ungrouped)"]],
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
      "no pause where pauses do not count, nor one of nobody",
      {
        tool: { groups: [] },
        pauses: [pause("all", null), pause("source", "x")],
        request: { includeDisabled: true },
      },
      [["group", "include `x:t` in group `g`", "group g"]],
    ],
    [
      "no pause of an agent for a caller that is none",
      { tool: { groups: [] }, pauses: [pause("agent", null), pause("agent", "x"), pause("source", "bot")] },
      [["group", "include `x:t` in group `g`", "group g"]],
    ],
    [
      "a group of its own, though everything is granted, while nobody can know that the tool is in none",
      {
        tool: { groups: [] },
        groups: [{ name: "g" }, { name: "broken", selectors: [{ name: "regex:(" }] }],
        policies: [everyone("p", ["*"])],
      },
      [["group", "include `x:t` in group `g`", "group g"]],
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
      [
        [
          "enable",
          "`x:t` is deprecated: import it again if its source removed it, else set its status to active",
          "tool x:t",
        ],
      ],
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
        ["profile", "use a profile other than `subagent`", "profile subagent"],
        ["profile", "use a profile other than `scheduled`", "profile scheduled"],
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
        ["capability", "grant capability `a`", "tool x:t"],
        ["capability", "grant capability `b`", "tool x:t"],
      ],
    ],
    [
      "a capability of an agent with a persona",
      {
        tool: { requiredCapabilities: ["a"] },
        agents: [{ name: "bot", persona: "clerk" }],
        request: { agent: "bot" },
      },
      [["capability", "grant capability `a` to persona `clerk`", "persona clerk"]],
    ],
    [
      "a capability of an agent with API keys, which have none, and without a persona",
      { tool: { requiredCapabilities: ["a"] }, agents: [{ name: "bot" }], request: { agent: "bot" } },
      [["capability", "give agent `bot` a persona with capability `a`", "agent bot"]],
    ],
    [
      "a capability of an agent with tokens of an issuer and without a persona",
      {
        tool: { requiredCapabilities: ["a"] },
        agents: [{ name: "bot", issuer: "corp", subject: "bot" }],
        request: { agent: "bot" },
      },
      [["capability", "give agent `bot` a persona with capability `a` and those that its token has now", "agent bot"]],
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
