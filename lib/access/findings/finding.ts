import type { JsonObject } from "@/lib/access/model/configuration";
import type { RuleRef } from "@/lib/access/decide/resolution";

/**
 * The severity of a finding. `unknown` means that the analysis could not conclude, never "fine"
 * (docs/reference/decision.md#findings).
 */
export const SEVERITIES = ["error", "warning", "info", "unknown"] as const;

type Severity = (typeof SEVERITIES)[number];

/** Every kind of finding (docs/reference/decision.md#findings) with its severity, in display order: dangerous ones first. */
export const FINDING_KINDS = {
  side_effects_for_anyone: "error",
  granted_by_default: "warning",
  denies_nothing: "warning",
  state_named_by_agent: "warning",
  agent_idle: "warning",
  unused_key: "warning",
  grants_everything: "warning",
  never_matches: "error",
  shadowed: "error",
  grants_missing_group: "error",
  flow_label_unknown: "error",
  matches_everyone: "warning",
  redundant: "warning",
  expired: "warning",
  grants_inactive_group: "warning",
  grants_empty_group: "warning",
  group_selects_nothing: "warning",
  exclusion_hits_nothing: "warning",
  flow_never_applies: "warning",
  flow_restricts_nothing: "warning",
  flow_hides_everything: "warning",
  state_never_entered: "warning",
  output_does_not_fit: "warning",
  claim_never_carried: "warning",
  hidden_text: "warning",
  value_never_seen: "info",
  tool_not_granted: "info",
  profile_entry_unused: "info",
  unused_grant: "info",
  unused_source: "info",
  not_analysed: "unknown",
} as const satisfies Record<string, Severity>;

/** One kind of finding. */
export type FindingKind = keyof typeof FINDING_KINDS;

/** The kinds of rules that a finding can be about; each kind has a page or a list. */
type Subject = Extract<
  RuleRef["kind"],
  "policy" | "group" | "tool" | "machine" | "profile" | "agent" | "source" | "flow"
>;

/**
 * Claims that demonstrate a finding about matching. Built from the constraints and run through the resolver: this is
 * the resolver's answer, not the expected one.
 */
export interface Witness {
  readonly claims: JsonObject;
  /** The instant of the decision, epoch milliseconds: now, or when the policy starts to be valid. */
  readonly at: number;
  /** Names of the policies that match these claims. */
  readonly matched: readonly string[];
  /** Groups granted after denials. */
  readonly grantedGroups: readonly string[];
}

/** Something in a configuration that is probably not meant. */
export interface Finding {
  readonly kind: FindingKind;
  readonly severity: Severity;
  readonly about: { readonly kind: Subject; readonly name: string };
  /**
   * The part of the rule: a group, a state, a tool, a claim or another policy. Distinguishes findings of one kind on
   * one rule.
   */
  readonly what: string;
  /** One sentence, names in backticks. */
  readonly text: string;
  /** What to do, in one sentence. */
  readonly fix: string;
  /** Other rules that the finding names. */
  readonly refs: readonly RuleRef[];
  readonly witness: Witness | null;
}

/** The stable id of a finding: the same finding of another configuration has the same id. */
export function findingId({ kind, about, what }: Finding): string {
  return [kind, about.kind, about.name, what].filter((part) => part !== "").join("/");
}

/** A finding with the severity of its kind, unless the caller gives another. */
export function toFinding(
  finding: Omit<Finding, "severity" | "refs" | "witness" | "what"> &
    Partial<Pick<Finding, "severity" | "refs" | "witness" | "what">>,
): Finding {
  return { severity: FINDING_KINDS[finding.kind], refs: [], witness: null, what: "", ...finding };
}
