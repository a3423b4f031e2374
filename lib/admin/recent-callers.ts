import { findUnloggedClaims } from "@/lib/access/impact/unlogged-claims";
import { parseClaimPath } from "@/lib/access/model/claims";
import type { JsonObject } from "@/lib/access/model/configuration";
import { isProblem } from "@/lib/access/model/problem";
import { REDACTED } from "@/lib/audit/record/redact";
import { registeredIn, requestAgain } from "@/lib/access/impact/request";
import { countSatisfying, seenPaths, seenValues } from "@/lib/access/impact/seen-claims";
import {
  MAX_CALLERS,
  type ClaimPaths,
  type ClaimValues,
  type MatcherCounts,
  type MatcherCountsInput,
} from "@/lib/contracts/decisions/impact";
import { MANY } from "@/lib/resources/parts/words";
import type { UnloggedClaims } from "@/lib/admin/impact";
import { loadRecentCallers } from "@/lib/store/log/recent-calls";
import { runInTurns } from "@/lib/store/db/in-turns";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";

/** Most claim paths that an editor offers. */
const MAX_PATHS = 500;

/**
 * Counts for each condition of a policy the distinct recent callers that match it.
 *
 * @param now epoch milliseconds
 * @throws AppError `config_unavailable`
 */
export async function countMatching(
  { effect, matchers }: MatcherCountsInput,
  { unlogged, mask, coarse }: UnloggedClaims & Coarse,
  now = Date.now(),
): Promise<MatcherCounts> {
  const callers = await claimsToday();
  const { matching, all } = countSatisfying(effect, matchers, callers, now);
  const complete = matchers.filter((matcher) => matcher !== null);
  return {
    callers: callers.length,
    coarse,
    matching: matching.map((count) => (count === null ? null : counted(count, coarse))),
    all: counted(all, coarse),
    notKept: [...(await runInTurns(findUnloggedClaims(complete, { callers, unlogged, mask })))],
  };
}

/** The claim paths of recent callers. @throws AppError `config_unavailable` */
export async function listClaimPaths({ coarse }: Coarse): Promise<ClaimPaths> {
  const callers = await claimsToday();
  const paths = [...seenPaths(callers)].slice(0, MAX_PATHS);
  return {
    callers: callers.length,
    coarse,
    paths: paths.map((seen) => ({ ...seen, callers: counted(seen.callers, coarse) })),
  };
}

/** Most values of a claim that an editor offers, and the longest of them. */
const MAX_VALUES = 50;
const MAX_VALUE_LENGTH = 200;

/** The values that recent callers carried at a claim path, without masked ones. @throws AppError `config_unavailable` */
export async function listClaimValues(text: string): Promise<ClaimValues> {
  const path = parseClaimPath(text);
  if (isProblem(path)) return { values: [] };
  const values = seenValues(await claimsToday(), path).filter(
    ({ value }) => value !== REDACTED && value.length <= MAX_VALUE_LENGTH,
  );
  return { values: values.slice(0, MAX_VALUES) };
}

/** Whether counts are reduced to the steps 0, 1 and 5. */
interface Coarse {
  readonly coarse: boolean;
}

/** A count, or with `coarse` the lower end of its step: 0, 1–4, 5 or more. */
function counted(count: number, coarse: boolean): number {
  if (!coarse) return count;
  return count >= MANY ? MANY : Math.min(count, 1);
}

/** The claims that the latest distinct callers would have today. For a caller who would be refused: the logged ones. */
async function claimsToday(): Promise<readonly JsonObject[]> {
  const [{ index }, seen] = await Promise.all([currentSnapshot(), loadRecentCallers()]);
  const registered = await runInTurns(registeredIn(index));
  return seen.slice(0, MAX_CALLERS).map((caller) => {
    const today = requestAgain(registered, registered, caller);
    return today.ok ? today.request.claims : caller.claims;
  });
}
