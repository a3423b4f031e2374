import type { Json } from "@/lib/access/model/configuration";

/** The operators of docs/reference/decision.md, in the order in which an editor offers them (`text_contains` last). */
export const OPERATORS = [
  "equals",
  "not_equals",
  "in",
  "not_in",
  "contains",
  "not_contains",
  "contains_any",
  "contains_all",
  "contains_none",
  "has_scope",
  "lacks_scope",
  "starts_with",
  "ends_with",
  "glob",
  "matches",
  "gt",
  "gte",
  "lt",
  "lte",
  "within_last",
  "within_next",
  "semver_gte",
  "semver_lt",
  "cidr",
  "exists",
  "not_exists",
  "text_contains",
] as const;

/** One operator name. */
export type OperatorName = (typeof OPERATORS)[number];

/**
 * One condition on a claim or, in `Policy.arguments`, on an argument of the call. `operator` is a plain string, because
 * a stored row may name one that this version does not know.
 * Such a matcher is `uncomparable` and reported, never skipped (docs/reference/decision.md#operators).
 */
export interface Matcher {
  /** Claim path: `realm_access.roles`, `["https://example.com/roles"]`, `groups[0]`. */
  readonly claim: string;
  readonly operator: OperatorName | (string & {});
  /** Scalar or list, as the operator needs it; `null` for `exists` / `not_exists`. */
  readonly value: Json;
  readonly ignoreCase: boolean;
}
