import { readClaim } from "@/lib/access/model/claims";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { maskClaim } from "@/lib/access/matching/mask";
import type { CompiledMatcher } from "@/lib/access/matching/compiled-matcher";
import { describeCondition } from "@/lib/access/model/matcher";

/** A matcher's claim, masked for an explanation; `undefined` when the claim is missing. */
export function shownClaim({ matcher, parts }: CompiledMatcher, claims: JsonObject): Json | undefined {
  const claim = parts === null ? undefined : readClaim(claims, parts.path);
  return claim === null ? undefined : maskClaim(matcher.claim, claim);
}

/** What a matcher requires, ready to display: "`roles` contains `finance-admin`". */
export function describeMatcher({ matcher, problem }: CompiledMatcher): string {
  if (problem !== null) return `\`${matcher.claim}\` cannot be evaluated: ${problem}`;
  return describeCondition(matcher);
}
