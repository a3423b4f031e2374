import type { Tone } from "@/components/ui/badge";
import { counted } from "@/components/ui/counted";
import type { FindingRow, FindingsOutput } from "@/lib/contracts/decisions/finding";

type Kind = FindingRow["kind"];

export const KIND_WORDS: Readonly<Record<Kind, string>> = {
  side_effects_for_anyone: "Side effects for unidentified callers",
  granted_by_default: "Granted only through default",
  denies_nothing: "Deny without effect",
  state_named_by_agent: "Agent sets its own state",
  agent_idle: "No call for 90 days",
  unused_key: "Unused API key",
  grants_everything: "Wildcard grant",
  never_matches: "Never matches",
  shadowed: "Shadowed by a deny",
  grants_missing_group: "Grants a missing group",
  flow_label_unknown: "Unknown label",
  matches_everyone: "Matches everyone",
  redundant: "Redundant",
  expired: "Expired",
  grants_inactive_group: "Grants an inactive group",
  grants_empty_group: "Grants an empty group",
  group_selects_nothing: "Group selects nothing",
  exclusion_hits_nothing: "Exclusion without effect",
  flow_never_applies: "Flow rule never applies",
  flow_restricts_nothing: "Flow rule without effect",
  flow_hides_everything: "Flow rule hides everything",
  state_never_entered: "State never entered",
  output_does_not_fit: "Results do not match the schema",
  claim_never_carried: "Claim never seen",
  hidden_text: "Hidden characters",
  value_never_seen: "Value never seen",
  tool_not_granted: "Tool in no granted group",
  profile_entry_unused: "Profile entry matches nothing",
  unused_grant: "Unused tools granted",
  unused_source: "Unused source",
  not_analysed: "Not analysed",
};

export const SEVERITY: Readonly<Record<FindingRow["severity"], { readonly word: string; readonly tone: Tone }>> = {
  error: { word: "error", tone: "deny" },
  warning: { word: "warning", tone: "warn" },
  info: { word: "note", tone: "neutral" },
  unknown: { word: "not analysed", tone: "outline" },
};

/** The severities, the gravest first. */
const GRAVEST = ["error", "warning", "unknown", "info"] as const satisfies readonly FindingRow["severity"][];

interface Counted {
  readonly severity: FindingRow["severity"];
  readonly count: number;
  /** Such as "2 warnings". */
  readonly words: string;
}

/** The severities that occur, the gravest first, with their numbers. */
export function bySeverity(counts: FindingsOutput["severities"]): readonly Counted[] {
  return GRAVEST.flatMap((severity) => {
    const count = counts[severity] ?? 0;
    const { word } = SEVERITY[severity];
    const words = severity === "unknown" ? counted(count, word, word) : counted(count, word);
    return count === 0 ? [] : [{ severity, count, words }];
  });
}
