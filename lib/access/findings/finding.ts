import type { JsonObject } from "@/lib/access/model/configuration";
import type { RuleRef } from "@/lib/access/decide/resolution";

/** How bad a finding is: `unknown` is what could not be analysed, which is never "fine" (docs/reference/decision.md#findings). */
export const SEVERITIES = ["error", "warning", "info", "unknown"] as const;

/** One severity. */
export type Severity = (typeof SEVERITIES)[number];

/** Every kind of finding (docs/reference/decision.md#findings) with its severity, in the order in which they are shown. */
export const FINDING_KINDS = {
  never_matches: "error",
  shadowed: "error",
  grants_missing_group: "error",
  matches_everyone: "warning",
  redundant: "warning",
  expired: "warning",
  grants_inactive_group: "warning",
  grants_empty_group: "warning",
  group_selects_nothing: "warning",
  exclusion_hits_nothing: "warning",
  state_never_entered: "warning",
  output_does_not_fit: "warning",
  claim_never_carried: "warning",
  hidden_text: "warning",
  denies_nothing: "warning",
  state_named_by_agent: "warning",
  value_never_seen: "info",
  tool_not_granted: "info",
  granted_by_default: "info",
  profile_entry_unused: "info",
  not_analysed: "unknown",
} as const satisfies Record<string, Severity>;

/** One kind of finding. */
export type FindingKind = keyof typeof FINDING_KINDS;

/** What a finding can be about; each has a page or a list of its own. */
export type Subject = Extract<RuleRef["kind"], "policy" | "group" | "tool" | "machine" | "profile" | "agent">;

/**
 * Claims that show a finding about matching, made from the constraints and run through the resolver: what it
 * answered is here, not what was expected.
 */
export interface Witness {
  readonly claims: JsonObject;
  /** The instant asked about, epoch milliseconds: now, or when the policy begins to be valid. */
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
  /** What of it: a group, a state, a tool, a claim, another policy; tells findings of one kind on one rule apart. */
  readonly what: string;
  /** One sentence, names in backticks. */
  readonly text: string;
  /** What to do, one sentence. */
  readonly fix: string;
  /** Other rules that it names. */
  readonly refs: readonly RuleRef[];
  readonly witness: Witness | null;
}

/** A finding with the severity of its kind, unless another is given. */
export function toFinding(
  finding: Omit<Finding, "severity" | "refs" | "witness" | "what"> &
    Partial<Pick<Finding, "severity" | "refs" | "witness" | "what">>,
): Finding {
  return { severity: FINDING_KINDS[finding.kind], refs: [], witness: null, what: "", ...finding };
}
