import type { JsonObject, Json, Policy, Tool } from "@/lib/access/model/configuration";
import type { OperatorName } from "@/lib/access/model/matcher";

/**
 * The input of the resolver (docs/reference/decision.md). A `ResolveRequest` is complete: `toRequest` in request.ts has
 * already filled in the agent's machine, profile, persona and capabilities, so `resolve` looks nothing up.
 */
export interface ResolveRequest {
  readonly claims: JsonObject;
  /** The registered agent that makes the request, for pauses of one agent; `null` when none is known. */
  readonly agent: string | null;
  /** `null`: no narrowing, the same as `["*"]`; `[]`: no tools. */
  readonly group: readonly string[] | null;
  /** `null` or `""`: the machine's initial state. */
  readonly state: string | null;
  /** `null`: the built-in machine. */
  readonly machine: string | null;
  /** All must allow the tool; empty = `["main"]`. */
  readonly profiles: readonly string[];
  /** Granted capabilities. Only these may hold wildcards. */
  readonly capabilities: readonly string[];
  readonly intent: string | null;
  /** 0..1; `null` with an intent means 0. */
  readonly confidence: number | null;
  readonly escalated: boolean;
  /** The labels that the caller holds. */
  readonly labels: readonly string[];
  /** Keeps the tools that pauses, inactive groups and the step `enabled` hide, marked `callable: false`. */
  readonly includeDisabled: boolean;
}

/** The steps, in evaluation order. */
export const STEPS = [
  "policy",
  "group",
  "enabled",
  "request",
  "state",
  "flow",
  "profile",
  "capability",
  "tier",
] as const;

/** One step of a resolution. */
export type Step = (typeof STEPS)[number];

/** Why a tool is hidden; a step reports the first reason that applies (docs/reference/decision.md#explanation). */
export const REASONS = {
  paused: "policy",
  denied_by_policy: "policy",
  access_requestable: "policy",
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
  flow_restricted: "flow",
  profile_denied: "profile",
  profile_drift: "profile",
  capability_missing: "capability",
  tier_narrowed: "tier",
} as const satisfies Record<string, Step>;

/** One reason code. */
export type Reason = keyof typeof REASONS;

/** The result of one matcher for one claim. */
export type Outcome = "match" | "no_match" | "missing" | "uncomparable";

/** The routing tier that was applied. */
export type RoutingMode = "full" | "restricted" | "restricted_with_resolution" | "none";

/**
 * How a tool enters a group: by the selectors (all of them, they are ANDed), by hand, by its own declaration, or by an
 * access grant.
 */
export type MembershipVia = "selectors" | "included" | "declared" | "default" | "ungrouped" | "granted";

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
  /** False only under `includeDisabled`, for a tool that is hidden without it. */
  readonly callable: boolean;
  /** Granted, active and requested groups that contain the tool, sorted. */
  readonly groups: readonly string[];
  /**
   * True when every allow that grants the tool has argument conditions, or a deny with conditions names one of its
   * groups.
   */
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
  /** Sorted by the tool's name, then id, in code-unit order. */
  readonly tools: readonly ResolvedTool[];
  /** Granted groups after denials, sorted; `(ungrouped)` included when granted. */
  readonly grantedGroups: readonly string[];
  /** As requested; `["*"]` when not stated. */
  readonly requestedGroups: readonly string[];
  /** Requested names without a group: reported in the trace, they grant nothing. */
  readonly unknownGroups: readonly string[];
  readonly state: string;
  /** `null` = the built-in machine. */
  readonly machine: string | null;
  readonly profiles: readonly string[];
  readonly mode: RoutingMode;
  /** The groups that routing kept, sorted; `null` when `mode` is `full`. */
  readonly tier: readonly string[] | null;
  /** Names of matching policies in evaluation order. */
  readonly matchedPolicies: readonly string[];
  /**
   * The first hidden tools, in the same order, that the caller may request from a person (`access_requestable`); at most
   * `MAX_REQUESTABLE`.
   */
  readonly requestable: readonly Tool[];
  /** Strong hash over the visible entries: equal etags mean equal manifests. */
  readonly etag: string;
}

/** The most requestable tools of a resolution. */
export const MAX_REQUESTABLE = 50;

/** One matcher in an explanation. `actual` is `undefined` when the claim is missing; sensitive claims are masked. */
export interface MatcherTrace {
  readonly claim: string;
  readonly operator: OperatorName | (string & {});
  readonly expected: Json;
  readonly actual: Json | undefined;
  readonly outcome: Outcome;
  /** Whether the matcher counts as held. In a deny an uncomparable or missing claim may count as held. */
  readonly held: boolean;
}

/** One policy in an explanation. `skipped` says why it was not evaluated. */
export interface PolicyTrace {
  readonly name: string;
  readonly effect: Policy["effect"];
  readonly priority: number;
  readonly skipped: "inactive" | "observed" | "not_yet_valid" | "expired" | null;
  readonly matched: boolean;
  readonly matchers: readonly MatcherTrace[];
  readonly groups: readonly string[];
  readonly hasArguments: boolean;
}

/** One group in a resolution's trace. */
export interface GroupTrace {
  readonly name: string;
  readonly granted: boolean;
  /** Deny policies without arguments that remove the group. */
  readonly deniedBy: readonly string[];
  readonly grantedBy: readonly string[];
  readonly active: boolean;
  readonly requested: boolean;
  readonly members: number;
  /** Set when a stored pattern does not compile: then the group is empty and shows this error. */
  readonly error: string | null;
}

/** The whole trace of a resolution, for the preview and the log's detail page. */
export interface Trace {
  readonly policies: readonly PolicyTrace[];
  /** How many policies were left out. */
  readonly morePolicies: number;
  readonly groups: readonly GroupTrace[];
  readonly steps: readonly FunnelStep[];
  readonly unknownGroups: readonly string[];
  readonly errors: readonly string[];
}

/** One step's verdict on one tool. */
interface StepVerdict {
  readonly step: Step;
  readonly passed: boolean;
  readonly reason: Reason | null;
  /** One sentence that names the deciding rule. */
  readonly detail: string;
  /** The rules behind the verdict, for links to their editors. */
  readonly refs: readonly RuleRef[];
}

/** A rule that an explanation names. */
export interface RuleRef {
  readonly kind:
    | "policy"
    | "group"
    | "tool"
    | "source"
    | "machine"
    | "flow"
    | "profile"
    | "intent"
    | "settings"
    | "pause"
    | "agent"
    | "persona"
    | "grant";
  readonly name: string;
}

/** The smallest change that would show a hidden tool. All of `changes` are needed. */
export interface Fix {
  /** The number of changes: the fewest over all ways to show the tool. */
  readonly size: number;
  readonly changes: readonly FixChange[];
}

/** One change of a fix. `text` is ready to display: "match policy `staff`: `roles` contains `admin`". */
export interface FixChange {
  readonly kind:
    | "matcher"
    | "policy"
    | "deny"
    | "group"
    | "request"
    | "enable"
    | "state"
    | "flow"
    | "profile"
    | "drift"
    | "capability"
    | "tier"
    | "pause"
    | "access";
  readonly text: string;
  readonly refs: readonly RuleRef[];
}

/** The full explanation of one tool for one caller. Computed on demand by the same code as the decision. */
export interface Explanation {
  readonly tool: Tool;
  readonly visible: boolean;
  readonly callable: boolean;
  readonly decidedBy: Step | null;
  readonly reason: Reason | null;
  readonly steps: readonly StepVerdict[];
  /** Visible tools: the groups that let the tool through, how it is in them, and the policies that grant them. */
  readonly via: readonly Via[];
  readonly capabilities: {
    readonly required: readonly string[];
    readonly granted: readonly string[];
    readonly missing: readonly string[];
  };
  /** Hidden tools: the smallest change that would show the tool; `null` when no change of rules would. */
  readonly fix: Fix | null;
  /** Visible tools: every (policy, group) grant whose removal is needed to hide the tool. */
  readonly grantsToRemove: readonly { readonly policy: string; readonly group: string }[];
}

/** How successful calls lead from the present state to one in which a tool is available. */
export interface StatePath {
  readonly from: string;
  /** The fewest calls, in order; empty when no calls lead there. */
  readonly calls: readonly {
    readonly tool: Tool;
    /** The state after the call. */
    readonly to: string;
    /** Whether a step other than the state hides this tool from the caller. True only when no path avoids such tools. */
    readonly hidden: boolean;
  }[];
}

/** Whether a visible tool may be called with these arguments (docs/reference/decision.md#argument-conditions). */
export type ArgumentVerdict =
  { readonly allowed: true } | { readonly allowed: false; readonly policy: string | null; readonly reason: string };
