import { parseClaimPath, readClaim } from "@/lib/access/model/claims";
import type { JsonObject } from "@/lib/access/model/configuration";
import type { Matcher } from "@/lib/access/model/matcher";
import type { Parts } from "@/lib/access/model/parts";
import type { SeenClaims } from "@/lib/access/findings/seen";
import { isProblem } from "@/lib/access/model/problem";

/**
 * The sorted claim paths of these matchers that the log does not keep unchanged: claims that change with every token,
 * and claims that are masked for some caller. A result on logged claims that depends on them is a guess. In parts,
 * because every path is read for every caller.
 */
export function* findUnloggedClaims(
  matchers: readonly Matcher[],
  { callers, unlogged, mask }: SeenClaims,
): Parts<readonly string[]> {
  const lost: string[] = [];
  for (const text of new Set(matchers.map(({ claim }) => claim))) {
    yield;
    if (isUnlogged(text, callers, unlogged, mask)) lost.push(text);
  }
  return lost.toSorted();
}

function isUnlogged(
  text: string,
  callers: readonly JsonObject[],
  unlogged: ReadonlySet<string>,
  mask: string,
): boolean {
  const path = parseClaimPath(text);
  if (isProblem(path)) return false;
  if (unlogged.has(String(path.steps[0]))) return true;
  return callers.some((claims) => JSON.stringify(readClaim(claims, path) ?? null).includes(mask));
}
