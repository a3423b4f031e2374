import type { Json } from "@/lib/access/model/configuration";
import { inCode } from "@/lib/access/model/lists";

/**
 * The words for the operators of docs/reference/decision.md#operators, in the order in which editors list them. `label` and
 * `hint` are the name and the meaning in a selection list. `sentence` stands between claim and value: "`roles` *contains*
 * `admin`". The comparisons are in another file, so that pages do not load them.
 */
const OPERATOR_WORDS = {
  equals: { label: "equals", sentence: "equals", hint: "The value, or one entry of a list, is exactly this" },
  not_equals: {
    label: "does not equal",
    sentence: "does not equal",
    hint: "Neither the value nor any entry of a list is this",
  },
  in: { label: "is one of", sentence: "is one of", hint: "The value, or one entry of a list, is one of these" },
  not_in: {
    label: "is none of",
    sentence: "is none of",
    hint: "Neither the value nor any entry of a list is one of these",
  },
  contains: { label: "contains", sentence: "contains", hint: "One entry of a list, such as roles, is exactly this" },
  not_contains: { label: "does not contain", sentence: "does not contain", hint: "No entry of a list is this" },
  contains_any: {
    label: "contains any of",
    sentence: "contains any of",
    hint: "At least one of these is an entry of the list",
  },
  contains_all: {
    label: "contains all of",
    sentence: "contains all of",
    hint: "Each of these is an entry of the list",
  },
  contains_none: {
    label: "contains none of",
    sentence: "contains none of",
    hint: "None of these is an entry of the list",
  },
  has_scope: { label: "has scope", sentence: "has scope", hint: "One word of a text such as a token’s scope is this" },
  lacks_scope: { label: "lacks scope", sentence: "lacks scope", hint: "No word of the text is this" },
  starts_with: {
    label: "starts with",
    sentence: "starts with",
    hint: "The text, or one entry of a list, starts with this",
  },
  ends_with: { label: "ends with", sentence: "ends with", hint: "The text, or one entry of a list, ends with this" },
  glob: { label: "matches glob", sentence: "matches", hint: "* is any text, ? is one character" },
  matches: {
    label: "matches pattern",
    sentence: "matches the pattern",
    hint: "A regular expression, from the start of the text",
  },
  gt: { label: "greater than", sentence: "is greater than", hint: "Compares two numbers or two times" },
  gte: { label: "at least", sentence: "is at least", hint: "Compares two numbers or two times" },
  lt: { label: "less than", sentence: "is less than", hint: "Compares two numbers or two times" },
  lte: { label: "at most", sentence: "is at most", hint: "Compares two numbers or two times" },
  within_last: {
    label: "within the last",
    sentence: "is within the last",
    hint: "A past time, not longer ago than this",
  },
  within_next: {
    label: "within the next",
    sentence: "is within the next",
    hint: "A future time, not further ahead than this",
  },
  semver_gte: { label: "version at least", sentence: "is at least version", hint: "Semantic versions, such as 2.1.0" },
  semver_lt: { label: "version below", sentence: "is below version", hint: "Semantic versions, such as 2.1.0" },
  cidr: {
    label: "address in range",
    sentence: "is an address in",
    hint: "An IP address in a range, such as 10.0.0.0/8",
  },
  exists: { label: "exists", sentence: "exists", hint: "There is any value but null" },
  not_exists: { label: "does not exist", sentence: "does not exist", hint: "There is no value, or null" },
  text_contains: { label: "text contains", sentence: "contains the text", hint: "This appears anywhere in the text" },
} as const;

/** One operator name. */
export type OperatorName = keyof typeof OPERATOR_WORDS;

/** The names of all operators, in display order. */
export const OPERATORS = Object.keys(OPERATOR_WORDS) as OperatorName[];

/** An operator's name in a selection list. */
export function operatorLabel(name: OperatorName): string {
  return OPERATOR_WORDS[name].label;
}

/** When an operator matches, in a few words (docs/reference/decision.md#operators). */
export function operatorHint(name: OperatorName): string {
  return OPERATOR_WORDS[name].hint;
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
