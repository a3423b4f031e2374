import type { JsonObject, Json, OperatorName, Policy, Tool } from "@/lib/access/model/configuration";

/**
 * What is asked of the resolver and what it answers (docs/reference/decision.md).
 *
 * A `ResolveRequest` is complete: whoever holds the caller (a door, the preview) has already put in
 * the agent's machine, profile, persona and capabilities (`toRequest` in request.ts), so that
 * `resolve` has nothing left to look up and nothing to assume.
 */
export interface ResolveRequest {
  readonly claims: JsonObject;
  /** The registered agent that asks, for pauses of one agent; `null` when none is known. */
  readonly agent: string | null;
  /** `null`: no narrowing, same as `["*"]`; `[]`: no tools. */
  readonly group: readonly string[] | null;
  /** `null` or `""`: the machine's initial state. */
  readonly state: string | null;
  /** `null`: the built-in machine. */
  readonly machine: string | null;
  /** All must match; empty = `["main"]`. */
  readonly profiles: readonly string[];
  /** Granted capabilities; wildcards count on this side only. */
  readonly capabilities: readonly string[];
  readonly intent: string | null;
  /** 0..1; `null` with an intent means 0. */
  readonly confidence: number | null;
  readonly escalated: boolean;
  /** Keeps what step 3 drops, marked `callable: false`. */
  readonly includeDisabled: boolean;
}

/** The steps, in the order in which they remove. */
export const STEPS = ["policy", "group", "enabled", "request", "state", "profile", "capability", "tier"] as const;

/** One step of a resolution. */
export type Step = (typeof STEPS)[number];

/** Why a tool is hidden; within a step the first that applies wins (docs/reference/decision.md#explanation). */
export const REASONS = {
  paused: "policy",
  denied_by_policy: "policy",
  no_policy_grant: "policy",
  excluded_from_group: "group",
  group_inactive: "group",
  not_in_granted_group: "group",
  tool_quarantined: "enabled",
  tool_deprecated: "enabled",
  source_disabled: "enabled",
  tool_disabled: "enabled",
  group_not_requested: "request",
  state_mismatch: "state",
  profile_denied: "profile",
  profile_drift: "profile",
  capability_missing: "capability",
  tier_narrowed: "tier",
} as const satisfies Record<string, Step>;

/** One reason code. */
export type Reason = keyof typeof REASONS;

/** What one matcher made of one claim. */
export type Outcome = "match" | "no_match" | "missing" | "uncomparable";

/** The routing tier that was applied. */
export type RoutingMode = "full" | "restricted" | "restricted_with_resolution" | "none";

/** How a tool is in a group: which selectors (all of them: they are ANDed), by hand, or by its own word. */
export type MembershipVia = "selectors" | "included" | "declared" | "default" | "ungrouped";

/** One granted group that lets a tool through, and the allow policies that grant the group. */
export interface Via {
  readonly group: string;
  readonly how: readonly MembershipVia[];
  /** Names, in evaluation order. */
  readonly policies: readonly string[];
}

/** One visible tool. */
export interface ResolvedTool {
  readonly tool: Tool;
  /** The name in this caller's list: `tool.name`, with a hash suffix on a clash. */
  readonly exposedName: string;
  /** False only under `includeDisabled`, when step 3 would have dropped it. */
  readonly callable: boolean;
  /** Granted, active groups that contain the tool and are requested; sorted. */
  readonly groups: readonly string[];
  /** True when every allow policy that grants it has argument conditions, or a deny with arguments reads its groups. */
  readonly conditional: boolean;
}

/** One hidden tool: the first failing step and one reason. */
export interface HiddenTool {
  readonly tool: Tool;
  readonly decidedBy: Step;
  readonly reason: Reason;
}

/** How many tools were left before and after a step. */
export interface FunnelStep {
  readonly name: Step;
  readonly before: number;
  readonly after: number;
}

/** The answer to "which tools, and why" for one caller at one revision. */
export interface Resolution {
  readonly revision: number;
  /** By exposed name's tool name, then id (code-unit order). */
  readonly tools: readonly ResolvedTool[];
  /** Granted after denials, sorted; `(ungrouped)` included when granted. */
  readonly grantedGroups: readonly string[];
  /** As asked; `["*"]` when not stated. */
  readonly requestedGroups: readonly string[];
  /** Requested names that no group has (reported in the trace; they grant nothing). */
  readonly unknownGroups: readonly string[];
  readonly state: string;
  /** `null` = the built-in machine. */
  readonly machine: string | null;
  readonly profiles: readonly string[];
  readonly mode: RoutingMode;
  /** The groups that routing kept, sorted; `null` when mode is `full`. */
  readonly tier: readonly string[] | null;
  /** Names of matching policies in evaluation order. */
  readonly matchedPolicies: readonly string[];
  /** Strong hash over the visible entries: equal etag = equal manifest. */
  readonly etag: string;
}

/** One matcher's part in an explanation. `actual` is `undefined` when missing; sensitive claims are masked. */
export interface MatcherTrace {
  readonly claim: string;
  readonly operator: OperatorName | (string & {});
  readonly expected: Json;
  readonly actual: Json | undefined;
  readonly outcome: Outcome;
  /** Whether it counts as held in its policy (an uncomparable or missing one may, in a deny). */
  readonly held: boolean;
}

/** One policy's part in an explanation. `skipped` says why it was not evaluated. */
export interface PolicyTrace {
  readonly name: string;
  readonly effect: Policy["effect"];
  readonly priority: number;
  readonly skipped: "inactive" | "not_yet_valid" | "expired" | null;
  readonly matched: boolean;
  readonly matchers: readonly MatcherTrace[];
  readonly groups: readonly string[];
  readonly hasArguments: boolean;
}

/** One group's part in a resolution's trace. */
export interface GroupTrace {
  readonly name: string;
  readonly granted: boolean;
  /** Deny policies (without arguments) that take it away. */
  readonly deniedBy: readonly string[];
  readonly grantedBy: readonly string[];
  readonly active: boolean;
  readonly requested: boolean;
  readonly members: number;
  /** Set when a stored pattern does not compile: the group is empty and shows this. */
  readonly error: string | null;
}

/** The whole trace of a resolution, for the preview and the log's detail page. */
export interface Trace {
  readonly policies: readonly PolicyTrace[];
  readonly groups: readonly GroupTrace[];
  readonly steps: readonly FunnelStep[];
  readonly unknownGroups: readonly string[];
  readonly errors: readonly string[];
}

/** One step's verdict on one tool. */
export interface StepVerdict {
  readonly step: Step;
  readonly passed: boolean;
  readonly reason: Reason | null;
  /** One sentence that names what decided. */
  readonly detail: string;
  /** The rules behind the verdict, to link to their editors. */
  readonly refs: readonly RuleRef[];
}

/** A rule named by an explanation. */
export interface RuleRef {
  readonly kind:
    "policy" | "group" | "tool" | "source" | "machine" | "profile" | "intent" | "settings" | "pause" | "agent";
  readonly name: string;
}

/** The smallest change that would show a hidden tool: all of `changes` are needed. */
export interface Fix {
  /** How many changes; the fewest over all ways to show the tool. */
  readonly size: number;
  readonly changes: readonly FixChange[];
}

/** One change of a fix. `text` is ready to read: "1 matcher away: `roles` lacks `finance-admin`". */
export interface FixChange {
  readonly kind:
    | "matcher"
    | "policy"
    | "deny"
    | "group"
    | "request"
    | "enable"
    | "state"
    | "profile"
    | "drift"
    | "capability"
    | "tier"
    | "pause";
  readonly text: string;
  readonly refs: readonly RuleRef[];
}

/** Everything about one tool for one caller. Built on demand, by the decision's own code path. */
export interface Explanation {
  readonly tool: Tool;
  readonly visible: boolean;
  readonly callable: boolean;
  readonly decidedBy: Step | null;
  readonly reason: Reason | null;
  readonly steps: readonly StepVerdict[];
  /** Visible tools: through which groups, how and by which policies. */
  readonly via: readonly Via[];
  /** Required, granted and missing capabilities. */
  readonly capabilities: {
    readonly required: readonly string[];
    readonly granted: readonly string[];
    readonly missing: readonly string[];
  };
  /** Hidden tools: the smallest change that would show it; `null` when no change of rules would. */
  readonly fix: Fix | null;
  /** Visible tools: every (policy, group) grant that would have to go to hide it. */
  readonly grantsToRemove: readonly { readonly policy: string; readonly group: string }[];
}

/** Whether a visible tool may be called with these arguments (docs/reference/decision.md#argument-conditions). */
export type ArgumentVerdict =
  { readonly allowed: true } | { readonly allowed: false; readonly policy: string | null; readonly reason: string };
