import { parseClaimPath, readClaim, type ClaimPath } from "@/lib/access/model/claims";
import type { Json, JsonObject, Policy } from "@/lib/access/model/configuration";
import type { Matcher } from "@/lib/access/model/matcher";
import type { Outcome } from "@/lib/access/decide/resolution";
import type { Compiled, ValueKind } from "@/lib/access/matching/operator-spec";
import { isOperator, ONE_OF_OPERATORS, operatorTable } from "@/lib/access/matching/operators";
import { isList } from "@/lib/access/model/json";
import { isProblem, type Problem } from "@/lib/access/model/problem";

/** A matcher that is ready to evaluate claims. */
export interface CompiledMatcher {
  readonly matcher: Matcher;
  /** `null` when the matcher does not compile: then it is uncomparable for every caller. */
  readonly parts: { readonly path: ClaimPath; readonly compiled: Compiled } | null;
  readonly problem: string | null;
  readonly test: (claims: JsonObject, now: number) => Outcome;
  /** Tests the claim at the matcher's path, for code that has read it already. */
  readonly testClaim: (claim: Json | undefined, now: number) => Outcome;
}

/** Compiles a matcher. A matcher that does not compile is `uncomparable`, never skipped. */
export function compileMatcher(matcher: Matcher): CompiledMatcher {
  const parts = compileParts(matcher);
  if (isProblem(parts)) {
    const uncomparable = (): Outcome => "uncomparable";
    return { matcher, parts: null, problem: parts.problem, test: uncomparable, testClaim: uncomparable };
  }
  const { path, compiled } = parts;
  const absent = matcher.operator === "not_exists" ? "match" : "missing";
  const testClaim = (claim: Json | undefined, now: number): Outcome =>
    claim === undefined || claim === null ? absent : compiled.test(claim, now);
  return { matcher, parts, problem: null, test: (claims, now) => testClaim(readClaim(claims, path), now), testClaim };
}

function compileParts(matcher: Matcher): { readonly path: ClaimPath; readonly compiled: Compiled } | Problem {
  if (!isOperator(matcher.operator))
    return { problem: `unknown operator \`${matcher.operator}\`: use ${ONE_OF_OPERATORS}` };
  const path = parseClaimPath(matcher.claim);
  if (isProblem(path)) return path;
  const compiled = operatorTable[matcher.operator].compile(matcher.value, matcher.ignoreCase);
  return isProblem(compiled) ? compiled : { path, compiled };
}

/** Why a new or changed matcher cannot be saved; `null` when it can. */
export function problemOfMatcher(matcher: Matcher): string | null {
  return problemOfStoredMatcher(matcher) ?? problemOfNewMatcher(matcher);
}

/** Why a matcher cannot be saved, even unchanged. An empty value still compiles, because stored rows may have one. */
export function problemOfStoredMatcher(matcher: Matcher): string | null {
  if (kindOf(matcher) !== "none" && isEmptyValue(matcher.value))
    return isList(matcher.value) ? "enter at least one value" : "enter a value";
  const parts = compileParts(matcher);
  return isProblem(parts) ? parts.problem : null;
}

/** Why a matcher that compiles cannot be added. A row that has it already can still be saved. */
export function problemOfNewMatcher(matcher: Matcher): string | null {
  if (kindOf(matcher) === "list" && alternativesOf(matcher.value).some(isEmptyValue))
    return "remove the empty value from the list: it would match an empty text";
  const parts = compileParts(matcher);
  return isProblem(parts) ? null : (parts.compiled.problemOnSave ?? null);
}

function kindOf({ operator }: Matcher): ValueKind {
  return isOperator(operator) ? operatorTable[operator].value : "none";
}

/** The values of a list: JSON, or text with commas. */
function alternativesOf(value: Json): readonly Json[] {
  return isList(value) ? value : typeof value === "string" ? value.split(",") : [];
}

/** Whether a value is a blank text, or a list without any other value. */
function isEmptyValue(value: Json): boolean {
  return isList(value) ? value.every(isEmptyValue) : typeof value === "string" && value.trim() === "";
}

/**
 * Whether an outcome counts as held. In an allow or a request only a match holds. In a deny doubt counts as held: uncomparable, and
 * a missing claim under a negative operator (docs/reference/decision.md#operators).
 */
export function isHeld(effect: Policy["effect"], operator: string, outcome: Outcome): boolean {
  if (outcome === "match") return true;
  if (effect !== "deny" || outcome === "no_match") return false;
  return outcome === "uncomparable" || (isOperator(operator) && operatorTable[operator].negative === true);
}
