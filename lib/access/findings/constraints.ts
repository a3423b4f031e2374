import { canonicalText } from "@/lib/access/model/canonical";
import type { ClaimPath } from "@/lib/access/model/claims";
import type { Json, JsonObject, Matcher, OperatorName } from "@/lib/access/model/configuration";
import { listValue, textValue } from "@/lib/access/matching/matcher-values";
import { isHeld, isOperator, operatorTable, type CompiledMatcher } from "@/lib/access/matching/operators";
import { readNumber } from "@/lib/access/model/orders";
import type { CompiledPolicy } from "@/lib/access/compile/policies";
import { isProblem } from "@/lib/access/model/problem";
import { foldCase, isScalar } from "@/lib/access/model/scalars";

/**
 * What a matcher asks of the claim at its path: that it is there or is not, that some element of it is so,
 * that no element is so, or that it is one value that is so.
 */
export type Demand = "present" | "absent" | "some" | "none" | "one";

/** Operators of one family judge the same claims as uncomparable. */
export type Family = "presence" | "text" | "pattern" | "address" | "number" | "time" | "version" | "window";

/** One matcher of a policy, as the findings reason about it. */
export interface Constraint {
  /** Its place in the policy, from 0. */
  readonly at: number;
  /** Equal for matchers that ask the same of any claim. */
  readonly question: string;
  readonly matcher: Matcher;
  readonly operator: OperatorName;
  readonly path: ClaimPath;
  /** Equal for equal paths, however they are written. */
  readonly key: string;
  readonly demand: Demand;
  readonly family: Family;
  /** The texts that `equals`, `in`, the set operators and their negatives compare with; `null` for the others. */
  readonly texts: readonly string[] | null;
  /** `texts` and claims are compared lower-case. */
  readonly folded: boolean;
  /** A text claim is looked at word by word (`has_scope`, `lacks_scope`). */
  readonly words: boolean;
  /** Whether a claim that is present is a match. What depends on the time is answered with "it may be". */
  readonly accepts: (claim: Json) => boolean;
  /** Whether the matcher counts as held for these claims at an instant: the resolver's own test. */
  readonly holds: (claims: JsonObject, now: number) => boolean;
}

/** A policy as a conjunction of constraints, by path. */
export interface Constraints {
  readonly compiled: CompiledPolicy;
  /** Matchers that do not compile: they hold for nobody in an allow policy, for everybody in a deny. */
  readonly broken: readonly number[];
  readonly all: readonly Constraint[];
  readonly byPath: ReadonlyMap<string, readonly Constraint[]>;
}

/** The key of a claim path or of the beginning of one. */
export const pathKey = (steps: readonly (string | number)[]): string => JSON.stringify(steps);

/** Reads a policy's matchers as constraints. */
export function toConstraints(compiled: CompiledPolicy): Constraints {
  const broken: number[] = [];
  const all: Constraint[] = [];
  const byPath = new Map<string, Constraint[]>();
  compiled.matchers.forEach((matcher, at) => {
    const constraint = toConstraint(compiled, matcher, at);
    if (constraint === null) return void broken.push(at);
    all.push(constraint);
    const same = byPath.get(constraint.key);
    if (same === undefined) byPath.set(constraint.key, [constraint]);
    else same.push(constraint);
  });
  return { compiled, broken, all, byPath };
}

function toConstraint({ policy }: CompiledPolicy, compiled: CompiledMatcher, at: number): Constraint | null {
  const { matcher, parts } = compiled;
  if (parts === null || !isOperator(matcher.operator)) return null;
  const { operator, ignoreCase } = { operator: matcher.operator, ignoreCase: matcher.ignoreCase };
  const texts = FINITE.has(operator) ? textsOf(matcher) : null;
  const { test, flips } = parts.compiled;
  return {
    at,
    question: canonicalText([operator, ignoreCase, matcher.value]),
    matcher,
    operator,
    path: parts.path,
    key: pathKey(parts.path.steps),
    demand: demandOf(operator),
    family: familyOf(matcher),
    texts: texts?.map((text) => foldCase(text, ignoreCase)) ?? null,
    folded: ignoreCase && (operatorTable[operator].value === "scalar" || texts !== null || operator === "glob"),
    words: operator === "has_scope" || operator === "lacks_scope",
    accepts: (claim) => flips !== null || test(claim, 0) === "match",
    holds: (claims, now) => isHeld(policy.effect, operator, compiled.test(claims, now)),
  };
}

const FINITE: ReadonlySet<OperatorName> = new Set([
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
]);

function textsOf({ operator, value }: Matcher): readonly string[] | null {
  if (isOperator(operator) && operatorTable[operator].value === "list") {
    const items = listValue(value);
    return isProblem(items) ? null : [...new Set(items)];
  }
  const text = textValue(value);
  return isProblem(text) ? null : [text.text];
}

function demandOf(operator: OperatorName): Demand {
  if (operator === "exists") return "present";
  if (operator === "not_exists") return "absent";
  if (operatorTable[operator].negative) return "none";
  return ONE_VALUE.has(operator) ? "one" : "some";
}

const ONE_VALUE: ReadonlySet<OperatorName> = new Set([
  "gt",
  "gte",
  "lt",
  "lte",
  "within_last",
  "within_next",
  "semver_gte",
  "semver_lt",
]);

function familyOf({ operator, value }: Matcher): Family {
  switch (operator) {
    case "exists":
    case "not_exists":
      return "presence";
    case "matches":
      return "pattern";
    case "cidr":
      return "address";
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return isScalar(value) && readNumber(value) !== null ? "number" : "time";
    case "within_last":
    case "within_next":
      return "window";
    case "semver_gte":
    case "semver_lt":
      return "version";
    default:
      return "text";
  }
}

/** Why nothing is concluded from an operator's value; `null` when the findings understand it. */
export function opacityOf({ family }: Constraint): string | null {
  return OPAQUE[family] ?? null;
}

const OPAQUE: Partial<Record<Family, string>> = {
  pattern: "a regular expression",
  time: "a comparison of times",
  window: "depends on the time of the request",
};

/** Whether a policy of this effect can only hold while the claim is there. */
export function needsClaim(effect: "allow" | "deny", { demand }: Constraint): boolean {
  return demand !== "absent" && (effect === "allow" || demand !== "none");
}

/** Whether a constraint holds for every caller there can be. */
export function alwaysHolds(effect: "allow" | "deny", { demand, path, texts }: Constraint): boolean {
  if (path.hopeless) return demand === "absent" || (effect === "deny" && demand === "none");
  return effect === "deny" && demand === "none" && texts?.length === 0;
}
