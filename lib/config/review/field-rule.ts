import type { JudgeField } from "@/lib/config/review/guards";

/** How the review gate judges a changed field. */
export type FieldRule =
  /** Comparing decisions proves what a change does (lib/access/review). */
  | "decided"
  /** A change cannot widen access: texts, order, routing, retention. */
  | "none"
  /** Nothing can prove what a change does: addresses, credentials, code, people. */
  | "unknown"
  /** A guard, judged by its old and new value. `decided`: decisions depend on the field too. */
  | { readonly factor: string; readonly judge: JudgeField; readonly decided?: true };

/** The rule of a field that decisions depend on. Each change of it needs a comparison of decisions or a person's review. */
export type DecidedRule = "decided" | "unknown" | (Extract<FieldRule, object> & { readonly decided: true });

/** How the review gate judges a row that is created or deleted. */
type RowRule =
  | "decided"
  | "none"
  | "unknown"
  | "wider"
  /** A new disabled row has no effect. The gate judges the change that enables it. */
  | "disabled-only"
  /** Deleting a bound agent removes its restrictions: only the claims of its tokens still count. */
  | "unbound-only"
  /** After the deletion of a disabled OpenID person, the next sign-in creates an enabled row. */
  | "not-disabled";

/** How the review gate judges the rows of one resource. */
export interface KindRules {
  readonly create: RowRule;
  readonly remove: RowRule;
  readonly fields: Readonly<Record<string, FieldRule>>;
}
