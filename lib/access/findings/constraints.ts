import { canonicalText } from "@/lib/access/model/canonical";
import type { ClaimPath } from "@/lib/access/model/claims";
import type { Effect, Json, JsonObject } from "@/lib/access/model/configuration";
import { append } from "@/lib/access/model/lists";
import type { Matcher, OperatorName } from "@/lib/access/model/matcher";
import { listValue, textValue } from "@/lib/access/matching/matcher-values";
import { isHeld, type CompiledMatcher } from "@/lib/access/matching/compiled-matcher";
import { isOperator, operatorTable } from "@/lib/access/matching/operators";
import type { Demand, Family, ValueKind } from "@/lib/access/matching/operator-spec";
import { readNumber } from "@/lib/access/matching/orders";
import type { CompiledPolicy } from "@/lib/access/compile/policies";
import { isProblem } from "@/lib/access/model/problem";
import { foldCase, isScalar } from "@/lib/access/model/scalars";

/** One matcher of a policy, in the form that the findings analyse. */
export interface Constraint {
  /** The matcher's index in the policy, from 0. */
  readonly at: number;
  /** Equal for matchers that test the same condition on any claim. */
  readonly question: string;
  readonly matcher: Matcher;
  readonly operator: OperatorName;
  readonly path: ClaimPath;
  /** Equal for equal paths, whatever their spelling. */
  readonly key: string;
  readonly demand: Demand;
  readonly family: Family;
  /** The texts that `equals`, `in`, the set operators and their negatives compare with; `null` for other operators. */
  readonly texts: readonly string[] | null;
  /** True when `texts` and claims are compared in lower case. */
  readonly folded: boolean;
  /** True when a text claim is compared word by word (`has_scope`, `lacks_scope`). */
  readonly words: boolean;
  /** Whether a present claim is a match. When the answer depends on time, it is "it may be". */
  readonly accepts: (claim: Json) => boolean;
  /** Whether the matcher counts as held for these claims at an instant: the resolver's own test. */
  readonly holds: (claims: JsonObject, now: number) => boolean;
}

/** A policy as a conjunction of constraints, by path. */
export interface Constraints {
  readonly compiled: CompiledPolicy;
  /** Matchers that do not compile: in an allow policy they hold for no caller, in a deny for every caller. */
  readonly broken: readonly number[];
  readonly all: readonly Constraint[];
  readonly byPath: ReadonlyMap<string, readonly Constraint[]>;
}

/** The key of a claim path or of a prefix of one. */
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
    append(byPath, constraint.key, constraint);
  });
  return { compiled, broken, all, byPath };
}

function toConstraint({ policy }: CompiledPolicy, compiled: CompiledMatcher, at: number): Constraint | null {
  const { matcher, parts } = compiled;
  if (parts === null || !isOperator(matcher.operator)) return null;
  const { ignoreCase, value } = matcher;
  const operator = matcher.operator;
  const { constraint, value: kind } = operatorTable[operator];
  const texts = constraint.hasFiniteTexts ? textsOf(matcher) : null;
  const { test, nextChange } = parts.compiled;
  return {
    at,
    question: canonicalText([operator, ignoreCase, value]),
    matcher,
    operator,
    path: parts.path,
    key: pathKey(parts.path.steps),
    demand: constraint.demand,
    family: familyOf(operator, value),
    texts: texts?.map((text) => foldCase(text, ignoreCase)) ?? null,
    folded: ignoreCase && FOLDED.has(kind),
    words: constraint.byWord,
    accepts: (claim) => nextChange !== null || test(claim, 0) === "match",
    holds: (claims, now) => isHeld(policy.effect, operator, compiled.test(claims, now)),
  };
}

/** Kinds of values that `ignoreCase` folds. */
const FOLDED: ReadonlySet<ValueKind> = new Set(["scalar", "list", "glob"]);

function textsOf({ operator, value }: Matcher): readonly string[] | null {
  if (isOperator(operator) && operatorTable[operator].value === "list") {
    const items = listValue(value);
    return isProblem(items) ? null : [...new Set(items)];
  }
  const text = textValue(value);
  return isProblem(text) ? null : [text.text];
}

function familyOf(operator: OperatorName, value: Json): Family {
  const { family } = operatorTable[operator].constraint;
  if (family !== "number_or_time") return family;
  return isScalar(value) && readNumber(value) !== null ? "number" : "time";
}

/** Why the findings cannot analyse an operator's value; `null` when they can. */
export function opacityOf({ family }: Constraint): string | null {
  return OPAQUE[family] ?? null;
}

const OPAQUE: Partial<Record<Family, string>> = {
  pattern: "a regular expression",
  time: "a comparison of times",
  window: "depends on the time of the request",
};

/** Whether a policy of this effect can hold only while the claim is present. */
export function needsClaim(effect: Effect, { demand }: Constraint): boolean {
  return demand !== "absent" && (effect !== "deny" || demand !== "none");
}

/** Whether a constraint holds for every possible caller. */
export function alwaysHolds(effect: Effect, { demand, path, texts }: Constraint): boolean {
  if (path.hopeless) return demand === "absent" || (effect === "deny" && demand === "none");
  return effect === "deny" && demand === "none" && texts?.length === 0;
}
