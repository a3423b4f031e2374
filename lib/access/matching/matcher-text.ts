import { readClaim } from "@/lib/access/model/claims";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { maskClaim } from "@/lib/access/model/mask";
import type { CompiledMatcher } from "@/lib/access/matching/compiled-matcher";
import { operatorSentence } from "@/lib/access/model/matcher";

/** A matcher's claim, masked for an explanation; `undefined` when the claim is missing. */
export function shownClaim({ matcher, parts }: CompiledMatcher, claims: JsonObject): Json | undefined {
  const claim = parts === null ? undefined : readClaim(claims, parts.path);
  return claim === null ? undefined : maskClaim(matcher.claim, claim);
}

/** Why a matcher does not hold, ready to display: "`roles` lacks `finance-admin`". */
export function describeMismatch(compiled: CompiledMatcher, claims: JsonObject): string {
  const { matcher, problem } = compiled;
  if (problem !== null) return `\`${matcher.claim}\` cannot be evaluated: ${problem}`;
  const wanted = valueText(matcher.value);
  if (LACKS.has(matcher.operator)) return `\`${matcher.claim}\` lacks ${wanted}`;
  const needs = `\`${matcher.claim}\` ${MUST[matcher.operator] ?? `fails "${operatorSentence(matcher.operator)} ${wanted}"`}`;
  return shownClaim(compiled, claims) === undefined ? `${needs} (it is missing)` : needs;
}

const LACKS: ReadonlySet<string> = new Set(["contains", "contains_any", "contains_all", "has_scope"]);
const MUST: Readonly<Record<string, string>> = { exists: "must be present", not_exists: "must be absent" };

function valueText(value: Json): string {
  const items: readonly Json[] = Array.isArray(value) ? (value as readonly Json[]) : [value];
  return items.map((item) => `\`${typeof item === "string" ? item : JSON.stringify(item)}\``).join(", ");
}
