import { parseClaimPath } from "@/lib/access/model/claims";
import { isProblem } from "@/lib/access/model/problem";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import type { Input } from "@/lib/resources";

type Policy = Pick<Input<"policies">, "everyone" | "matchers">;
type Matcher = Policy["matchers"][number];

/**
 * Claims that meet all conditions of a policy, to start a preview with. `null` where a condition has no obvious value, and
 * for a policy that asks nothing of its callers.
 */
export function claimsOfPolicy({ everyone, matchers }: Policy): JsonObject | null {
  if (everyone || matchers.length === 0) return null;
  const claims: { [name: string]: Json } = {};
  for (const matcher of matchers) {
    const path = parseClaimPath(matcher.claim);
    const value = valueFor(matcher);
    const [name, ...deeper] = isProblem(path) ? [] : path.steps;
    if (value === null || typeof name !== "string" || deeper.length > 0 || Object.hasOwn(claims, name)) return null;
    claims[name] = value;
  }
  return claims;
}

/** A value that meets a condition; `null` where the condition does not name one. */
function valueFor({ operator, value }: Matcher): Json {
  if (operator === "exists") return true;
  if (operator === "equals" || operator === "contains" || operator === "has_scope") return value as Json;
  if (operator === "contains_all") return value as Json;
  if (operator === "in" || operator === "contains_any") return ((value as readonly Json[] | null) ?? [])[0] ?? null;
  return null;
}
