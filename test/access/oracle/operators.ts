import type { Effect, Json, JsonObject } from "@/lib/access/model/configuration";
import { OPERATORS, type Matcher, type OperatorName } from "@/lib/access/model/matcher";
import type { Outcome } from "@/lib/access/decide/resolution";
import { contains, readAddress, readRange } from "@/test/access/oracle/addresses";
import { claimGlobMatches, readRegex } from "@/test/access/oracle/patterns";
import { readClaim, readPath } from "@/test/access/oracle/read-path";
import { move, readDuration, readInstant } from "@/test/access/oracle/times";
import { compareVersions, readVersion } from "@/test/access/oracle/versions";

type Scalar = string | number | boolean;

/** Each negation, and the operator it negates. */
const TWINS: Partial<Record<OperatorName, OperatorName>> = {
  not_equals: "equals",
  not_in: "in",
  not_contains: "contains",
  contains_none: "contains_any",
  lacks_scope: "has_scope",
};

/** The outcome of a matcher on claims (docs/reference/decision.md#operators). */
export function outcomeOf(matcher: Matcher, claims: JsonObject, now: number): Outcome {
  const operator = OPERATORS.find((name) => name === matcher.operator);
  const path = readPath(matcher.claim);
  if (operator === undefined || path === null || isBroken(operator, matcher)) return "uncomparable";
  const claim = readClaim(claims, path);
  if (operator === "exists") return claim === undefined ? "missing" : "match";
  if (operator === "not_exists") return claim === undefined ? "match" : "no_match";
  if (claim === undefined) return "missing";
  const positive = TWINS[operator];
  if (positive === undefined) return positiveOutcome(operator, matcher, claim, now);
  const outcome = positiveOutcome(positive, matcher, claim, now);
  if (outcome === "match") return "no_match";
  return outcome === "no_match" ? "match" : outcome;
}

/** Whether a policy of this effect counts the matcher as held (docs/reference/decision.md#held). */
export function isHeld(effect: Effect, operator: string, outcome: Outcome): boolean {
  if (outcome === "match") return true;
  if (effect !== "deny" || outcome === "no_match") return false;
  return outcome === "uncomparable" || operator in TWINS || operator === "not_exists";
}

function positiveOutcome(operator: OperatorName, matcher: Matcher, claim: Json, now: number): Outcome {
  const fold = (value: Scalar) => (matcher.ignoreCase ? textOf(value).toLowerCase() : textOf(value));
  const wanted = () => fold(matcher.value as Scalar);
  const wantedList = () => listOf(matcher.value)!.map(fold);
  switch (operator) {
    case "equals":
    case "contains":
      return anyElement(claim, (element) => fold(element) === wanted());
    case "in":
    case "contains_any":
      return anyElement(claim, (element) => wantedList().includes(fold(element)));
    case "contains_all": {
      const elements = scalarsOf(claim);
      if (elements === null) return "uncomparable";
      return judge(wantedList().every((value) => elements.map(fold).includes(value)));
    }
    case "has_scope":
      if (isScalar(claim)) return judge(wordsOf(fold(claim)).includes(wanted()));
      return anyElement(claim, (element) => fold(element) === wanted());
    case "starts_with":
      return anyElement(claim, (element) => fold(element).startsWith(wanted()));
    case "ends_with":
      return anyElement(claim, (element) => fold(element).endsWith(wanted()));
    case "text_contains":
      return anyElement(claim, (element) => fold(element).includes(wanted()));
    case "glob":
      return anyElement(claim, (element) => claimGlobMatches(wanted(), fold(element)));
    case "matches":
      return regexOutcome(matcher, claim);
    case "cidr":
      return addressOutcome(textOf(matcher.value as Scalar), claim);
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return orderOutcome(operator, matcher.value, claim);
    case "within_last":
    case "within_next":
      return withinOutcome(operator, textOf(matcher.value as Scalar), claim, now);
    case "semver_gte":
    case "semver_lt":
      return versionOutcome(operator, textOf(matcher.value as Scalar), claim);
    default:
      throw new Error(`not a positive operator: ${operator}`);
  }
}

function regexOutcome(matcher: Matcher, claim: Json): Outcome {
  const regex = readRegex(textOf(matcher.value as Scalar), matcher.ignoreCase)!;
  const elements = scalarsOf(claim);
  if (elements === null) return "uncomparable";
  const inAll = elements.map((element) => textOf(element).length).reduce((sum, length) => sum + length, 0);
  if (inAll * regex.programSize() > 2_097_152) return "uncomparable";
  const readable = elements.filter((element) => textOf(element).length <= 4096);
  if (readable.some((element) => regex.matcher(textOf(element)).lookingAt())) return "match";
  return readable.length < elements.length ? "uncomparable" : "no_match";
}

function addressOutcome(rangeText: string, claim: Json): Outcome {
  const range = readRange(rangeText)!;
  const elements = Array.isArray(claim) ? (claim as readonly Json[]) : [claim];
  if (elements.length === 0) return "no_match";
  const addresses = elements
    .map((element) => (typeof element === "string" ? readAddress(element) : null))
    .filter((address) => address !== null);
  return addresses.length === 0 ? "uncomparable" : judge(addresses.some((address) => contains(range, address)));
}

function orderOutcome(operator: "gt" | "gte" | "lt" | "lte", value: Json, claim: Json): Outcome {
  const number = numberOf(value);
  const [left, right] = number === null ? [timeOf(claim), timeOf(value)] : [numberOf(claim), number];
  if (left === null || right === null) return "uncomparable";
  if (operator === "gt") return judge(left > right);
  if (operator === "gte") return judge(left >= right);
  if (operator === "lt") return judge(left < right);
  return judge(left <= right);
}

function withinOutcome(operator: "within_last" | "within_next", value: string, claim: Json, now: number): Outcome {
  const duration = readDuration(value)!;
  const time = timeOf(claim);
  if (time === null) return "uncomparable";
  if (operator === "within_last") return judge(move(now, duration, -1) <= time && time <= now);
  return judge(now <= time && time <= move(now, duration, 1));
}

function versionOutcome(operator: "semver_gte" | "semver_lt", value: string, claim: Json): Outcome {
  const version = typeof claim === "string" ? readVersion(claim) : null;
  if (version === null) return "uncomparable";
  const order = compareVersions(version, readVersion(value)!);
  return judge(operator === "semver_gte" ? order >= 0 : order < 0);
}

/** Whether the operator cannot use the value: then the matcher is uncomparable for every caller. */
function isBroken(operator: OperatorName, matcher: Matcher): boolean {
  const value = matcher.value;
  const text = typeof value === "string" ? value : null;
  switch (operator) {
    case "exists":
    case "not_exists":
      return false;
    case "in":
    case "not_in":
      return listOf(value) === null;
    case "contains_any":
    case "contains_all":
    case "contains_none":
      return (listOf(value) ?? []).length === 0;
    case "matches":
      return text === null || text.length > 256 || readRegex(text, matcher.ignoreCase) === null;
    case "cidr":
      return text === null || readRange(text) === null;
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return numberOf(value) === null && (text === null || readInstant(text) === null);
    case "within_last":
    case "within_next":
      return text === null || readDuration(text) === null;
    case "semver_gte":
    case "semver_lt":
      return text === null || readVersion(text) === null;
    default:
      return !isScalar(value);
  }
}

/** The values of a list operator: a list of scalars, or comma-separated text with trimmed items; `null` for anything else. */
function listOf(value: Json): readonly Scalar[] | null {
  if (typeof value === "string") return value.split(",").map((item) => item.trim());
  if (!Array.isArray(value)) return null;
  const list = value as readonly Json[];
  return list.every(isScalar) ? list : null;
}

/** A scalar as a one-element list, a list's scalars; `null` when there is nothing to compare. */
function scalarsOf(claim: Json): readonly Scalar[] | null {
  if (isScalar(claim)) return [claim];
  if (!Array.isArray(claim)) return null;
  const list = claim as readonly Json[];
  const scalars = list.filter(isScalar);
  return list.length > 0 && scalars.length === 0 ? null : scalars;
}

function anyElement(claim: Json, holds: (element: Scalar) => boolean): Outcome {
  const elements = scalarsOf(claim);
  return elements === null ? "uncomparable" : judge(elements.some(holds));
}

/** The words of a scope string; the empty text between two spaces is no word. */
function wordsOf(text: string): readonly string[] {
  return text.split(" ").filter((word) => word !== "");
}

function isScalar(value: Json): value is Scalar {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** A scalar's JSON text, without the quotes of a string. */
function textOf(value: Scalar): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A finite JSON number, or text that is a number as a whole. */
function numberOf(value: Json): number | null {
  if (typeof value === "string" && !/^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(value)) return null;
  if (typeof value !== "string" && typeof value !== "number") return null;
  return Number.isFinite(Number(value)) ? Number(value) : null;
}

/** Epoch milliseconds of RFC 3339 text, or of a JSON number of epoch seconds. */
function timeOf(value: Json): number | null {
  if (typeof value === "string") return readInstant(value);
  return typeof value === "number" && Number.isFinite(value) ? value * 1000 : null;
}

function judge(holds: boolean): Outcome {
  return holds ? "match" : "no_match";
}
