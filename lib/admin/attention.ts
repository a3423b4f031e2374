import type { Attention } from "@/lib/contracts/changes/attention";
import type { Role } from "@/lib/resources/permissions";
import { countWaitingCalls } from "@/lib/store/calls/approvals";
import { listPauses } from "@/lib/store/calls/pauses";
import { visibleRow } from "@/lib/store/requests/request-detail";
import { countOpenRequests, listRequests } from "@/lib/store/requests/requests";
import { countPendingDrift } from "@/lib/store/sources/drift";
import { log } from "@/lib/telemetry/log";

/** Most changes without review in one answer. The banner of a page has no room for more. */
const MOST_UNCONFIRMED = 5;

/**
 * What waits for people, as a role may read it; `now` is epoch milliseconds. Every open page polls it, so each part is one
 * or two statements that an index answers. Refusals are counted elsewhere: that reads as many rows as there were refusals.
 *
 * @throws AppError `config_unavailable` when the pauses cannot be read
 */
export async function readAttention(reader: Role, now: number): Promise<Attention> {
  const [pauses, calls, requests, drift, unconfirmed] = await Promise.all([
    listPauses(),
    unlessFailing(countWaitingCalls(new Date(now))),
    unlessFailing(countOpenRequests()),
    unlessFailing(countPendingDrift()),
    unlessFailing(listRequests({ status: "bypassed", limit: MOST_UNCONFIRMED }, reader)),
  ]);
  return {
    pauses,
    calls,
    requests,
    drift,
    unconfirmed: unconfirmed?.items.map((row) => visibleRow(row, reader)) ?? null,
  };
}

async function unlessFailing<T>(part: Promise<T>): Promise<T | null> {
  try {
    return await part;
  } catch (err) {
    log.warn({ err }, "A part of what waits for people could not be read.");
    return null;
  }
}
