import type { Configuration } from "@/lib/access/model/configuration";
import { runWithinLimit } from "@/lib/admin/impact/draft";
import { impactOn, type ImpactOptions, type UnloggedClaims } from "@/lib/admin/impact";
import { stopsAfterChanges, type StopRows } from "@/lib/admin/impact/stops";
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
 * @param onRead records the read of logged arguments; without it, they are not read
 * @throws AppError `not_found`; `conflict` when no key decrypts the changes; `config_unavailable`, `request_timeout`
 */
export async function impactOfRequest(
  id: string,
  unlogged: UnloggedClaims,
  { signal, onRead }: Pick<ImpactOptions, "signal" | "onRead"> = {},
): Promise<RequestImpact> {
  const request = await findRequest(id);
  if (request === null || request.kind !== "change")
    throw new AppError("not_found", "There is no such change request.");
  if (request.status !== "open") return { impact: null };
  const changes = requestedChanges(request).filter(({ resource }) => MEASURED_RESOURCES.has(resource));
  if (changes.length === 0) return { impact: null };
  const draft = async (before: Configuration) => ({
    configuration: await runWithinLimit(changedConfiguration(before, changes), signal),
    changeStops: (rows: StopRows) => stopsAfterChanges(rows, changes),
  });
  return {
    impact: await impactOn(await currentSnapshot(), draft, unlogged, {
      signal,
      onRead,
      readsArguments: onRead !== undefined,
    }),
  };
}
