import type { Json } from "@/lib/access/model/configuration";
import { inCode } from "@/lib/access/model/lists";

/**
 * The words for the operators of docs/reference/decision.md#operators, in the order in which editors list them. `label` is
 * the name in a selection list. `sentence` stands between claim and value: "`roles` *contains* `admin`". The comparisons
 * are in another file, so that pages do not load them.
 */
const OPERATOR_WORDS = {
  equals: { label: "equals", sentence: "equals" },
  not_equals: { label: "does not equal", sentence: "does not equal" },
  in: { label: "is one of", sentence: "is one of" },
  not_in: { label: "is none of", sentence: "is none of" },
  contains: { label: "contains", sentence: "contains" },
  not_contains: { label: "does not contain", sentence: "does not contain" },
  contains_any: { label: "contains any of", sentence: "contains any of" },
  contains_all: { label: "contains all of", sentence: "contains all of" },
  contains_none: { label: "contains none of", sentence: "contains none of" },
  has_scope: { label: "has scope", sentence: "has scope" },
  lacks_scope: { label: "lacks scope", sentence: "lacks scope" },
  starts_with: { label: "starts with", sentence: "starts with" },
  ends_with: { label: "ends with", sentence: "ends with" },
  glob: { label: "matches glob", sentence: "matches" },
  matches: { label: "matches pattern", sentence: "matches the pattern" },
  gt: { label: "greater than", sentence: "is greater than" },
  gte: { label: "at least", sentence: "is at least" },
  lt: { label: "less than", sentence: "is less than" },
  lte: { label: "at most", sentence: "is at most" },
  within_last: { label: "within the last", sentence: "is within the last" },
  within_next: { label: "within the next", sentence: "is within the next" },
  semver_gte: { label: "version at least", sentence: "is at least version" },
  semver_lt: { label: "version below", sentence: "is below version" },
  cidr: { label: "address in range", sentence: "is an address in" },
  exists: { label: "exists", sentence: "exists" },
  not_exists: { label: "does not exist", sentence: "does not exist" },
  text_contains: { label: "text contains", sentence: "contains the text" },
} as const;

/** One operator name. */
export type OperatorName = keyof typeof OPERATOR_WORDS;

/** The names of all operators, in display order. */
export const OPERATORS = Object.keys(OPERATOR_WORDS) as OperatorName[];

/** An operator's name in a selection list. */
export function operatorLabel(name: OperatorName): string {
  return OPERATOR_WORDS[name].label;
}

/** The words between claim and value. An operator that this version does not know is shown by its name. */
export function operatorSentence(name: string): string {
  return Object.hasOwn(OPERATOR_WORDS, name) ? OPERATOR_WORDS[name as OperatorName].sentence : name;
}

/**
 * One condition on a claim or, in `Policy.arguments`, on an argument of the call. `operator` is any string, because a stored
 * row may name an operator that this version does not know. Such a matcher is `uncomparable`: it is reported, never skipped
 * (docs/reference/decision.md#operators).
 */
export interface Matcher {
  /** Claim path: `realm_access.roles`, `["https://example.com/roles"]`, `groups[0]`. */
  readonly claim: string;
  readonly operator: OperatorName | (string & {});
  /** Scalar or list, as the operator needs it; `null` for `exists` / `not_exists`. */
  readonly value: Json;
  readonly ignoreCase: boolean;
}

/** The condition that a claim equals a value. */
export function equals(claim: string, value: string | boolean) {
  return { claim, operator: "equals", value, ignoreCase: false } satisfies Matcher;
}

/** A condition in words: "`roles` contains `finance-admin`". */
export function describeCondition({ claim, operator, value }: Omit<Matcher, "ignoreCase">): string {
  const words = `\`${claim}\` ${operatorSentence(operator)}`;
  if (value === null) return words;
  const items: readonly Json[] = Array.isArray(value) ? (value as readonly Json[]) : [value];
  return `${words} ${inCode(items.map((item) => (typeof item === "string" ? item : JSON.stringify(item))))}`;
}
