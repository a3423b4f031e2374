import { compileInParts } from "@/lib/access/compile/compile";
import { runWithinLimit } from "@/lib/admin/impact/draft";
import { compareSides, withoutPauses, type UnloggedClaims } from "@/lib/admin/impact";
import { stopsAfterChanges, stopsIn, toStops } from "@/lib/admin/impact/stops";
import { changedConfiguration } from "@/lib/config/review/judge";
import type { RequestImpact } from "@/lib/contracts/changes/request";
import { AppError } from "@/lib/errors";
import { DECIDING } from "@/lib/resources/sections";
import { requestedChanges } from "@/lib/store/requests/change-body";
import { findRequest } from "@/lib/store/requests/requests";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";

/** The resources that decisions, approvals or limits read. */
const MEASURED_RESOURCES: ReadonlySet<string> = new Set([...DECIDING, "settings", "drift-acceptances"]);

/**
 * Computes the impact of an open change request on the present configuration: the tools of personas, agents and recent
 * callers before and after, and the recent calls that would be decided differently. `impact` is `null` when the request
 * is closed, or when its changes affect no decision, approval or limit.
 *
 * @throws AppError `not_found`; `conflict` when no key decrypts the changes; `config_unavailable`, `request_timeout`
 */
export async function impactOfRequest(
  id: string,
  unlogged: UnloggedClaims,
  { now = Date.now(), signal }: { readonly now?: number; readonly signal?: AbortSignal } = {},
): Promise<RequestImpact> {
  const request = await findRequest(id);
  if (request === null || request.kind !== "change")
    throw new AppError("not_found", "There is no such change request.");
  if (request.status !== "open") return { impact: null };
  const changes = requestedChanges(request).filter(({ resource }) => MEASURED_RESOURCES.has(resource));
  if (changes.length === 0) return { impact: null };
  const snapshot = await currentSnapshot();
  const before = await runWithinLimit(withoutPauses(snapshot.index), signal);
  const configuration = await runWithinLimit(changedConfiguration(before.config, changes), signal);
  const after = await runWithinLimit(compileInParts(configuration, before), signal);
  const stopRows = stopsIn(snapshot);
  const stops = { before: toStops(stopRows), after: toStops(stopsAfterChanges(stopRows, changes)) };
  const sides = { revision: snapshot.revision, before, after, now, arguments: false, stops };
  return { impact: await compareSides(sides, unlogged, signal) };
}
