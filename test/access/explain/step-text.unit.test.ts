import { describe, expect, test } from "vitest";
import type { Step } from "@/lib/access/decide/resolution";
import { condition, everyone, explained, machine, named, pause, type Given } from "@/test/access/explained";

/** A rule that hides `x:t` from holders of the label `private`. */
const flow = { name: "f", when: ["private"], restrict: [{ tool: "x:t" }] };
const NO_RULE = "No flow rule is enforced, so labels hide no tool.";

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
      ["Policies grant this caller groups. The next step checks whether this tool is in one."],
    ],
    ["in a granted group", "group", {}, ["In the granted group `g`.", "group g"]],
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
      ["The request names `g`.", "group g"],
    ],
    ["available", "state", {}, ["The caller has no state machine."]],
    [
      "available in a machine's state",
      "state",
      { machines: [machine], request: { machine: "m", state: "b" } },
      ["Available in state `b`."],
    ],
    ["no flow rule enforced: the request says nothing about labels", "flow", {}, [NO_RULE]],
    ["a flow rule only observed", "flow", { flows: [{ ...flow, mode: "observe" }] }, [NO_RULE]],
    ["a flow rule enforced, and no label held", "flow", { flows: [flow] }, ["The caller holds no labels."]],
    [
      "a label held that no rule reads",
      "flow",
      { flows: [flow], request: { labels: ["other"] } },
      ["The caller holds `other`, and no rule hides the tool for that."],
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
      ["The caller has `files.read`, `db`."],
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
      ["`d`, `e` deny `g`, `h`.", "policy d", "policy e", "group g", "group h"],
    ],
    [
      "denied_by_policy",
      {
        tool: { groups: ["g"] },
        groups: [{ name: "g" }, { name: "broken", selectors: [{ name: "regex:(" }] }],
        policies: [everyone("p", ["g"]), everyone("d", ["broken"], { effect: "deny" })],
      },
      ["`d` denies every tool, because a pattern of one of its groups is not valid.", "policy d"],
    ],
    ["no_policy_grant", { policies: [] }, ["No policy grants this caller any tools."]],
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
    ["flow_restricted", { flows: [{ ...flow, when: [] }] }, ["`f` hides the tool from every caller.", "flow f"]],
    ["group_inactive", { groups: [{ name: "g", active: false }] }, ["The group is inactive: `g`.", "group g"]],
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
      ["The definition changed and is not approved yet.", "tool x:t"],
    ],
    [
      "tool_deprecated",
      { tool: { status: "deprecated" } },
      ["The tool is deprecated: its source removed it, or a person retired it.", "tool x:t"],
    ],
    [
      "source_disabled",
      { sources: [{ name: "x", enabled: false }] },
      ["Source `x` is disabled or missing.", "source x"],
    ],
    [
      "source_disabled",
      { sources: [{ name: "x", enabled: false, disabledReason: "Moving to v2" }] },
      ["Source `x` is disabled or missing: Moving to v2", "source x"],
    ],
    ["tool_disabled", { tool: { enabled: false } }, ["The tool is disabled.", "tool x:t"]],
    [
      "tool_disabled",
      { tool: { enabled: false, disabledReason: "It sends mails twice" } },
      ["The tool is disabled: It sends mails twice", "tool x:t"],
    ],
    [
      "group_not_requested",
      {
        tool: { groups: ["g", "h"] },
        groups: [{ name: "g" }, { name: "h" }, { name: "k" }],
        policies: [everyone("p", ["g", "k"])],
        request: { group: ["k"] },
      },
      ["The request names `k`, not `g`.", "group g"],
    ],
    ["group_not_requested", { request: { group: [] } }, ["The request names none, not `g`.", "group g"]],
    [
      "group_not_requested",
      { groups: [{ name: "g" }, { name: "k" }], policies: [everyone("p", ["k"])], request: { group: ["k"] } },
      ["The request names `k`, not `g`.", "group g"],
    ],
    [
      "access_requestable",
      { policies: [everyone("p", ["g"], { effect: "request", maxHours: 8 })] },
      ["No policy grants it. The caller may request access under `p`.", "policy p"],
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
      ["The caller lacks `a`, `c`.", "tool x:t"],
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
