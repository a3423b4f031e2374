import type { JudgeField } from "@/lib/config/review/guards";

/** How the review gate judges a changed field. */
export type FieldRule =
  /** The comparison of decisions proves the effect of a change (lib/access/review). */
  | "decided"
  /** A change cannot widen access: texts, order, routing, retention. */
  | "none"
  /** Nothing can prove the effect of a change: addresses, credentials, code, people. */
  | "unknown"
  /** A guard, judged by its values. `decided`: decisions depend on the field too. */
  | { readonly factor: string; readonly judge: JudgeField; readonly decided?: true };

/** The rule of a field that decisions depend on: no change of it passes without a comparison or a person. */
export type DecidedRule = "decided" | "unknown" | (Extract<FieldRule, object> & { readonly decided: true });

/** How a whole row is judged that is created or deleted. */
type RowRule =
  | "decided"
  | "none"
  | "unknown"
  | "wider"
  /** A row that is created disabled has no effect; enabling it is judged. */
  | "disabled-only"
  /** A token of a bound subject is refused or restricted by its agent; without the agent, only its claims count. */
  | "unbound-only"
  /** A disabled person of the OpenID provider, whose row is deleted, is created again at the next sign-in. */
  | "not-disabled";

/** How the gate judges a kind of row. */
export interface KindRules {
  readonly create: RowRule;
  readonly remove: RowRule;
  readonly fields: Readonly<Record<string, FieldRule>>;
}
