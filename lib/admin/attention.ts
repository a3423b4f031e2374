import { listDenials } from "@/lib/admin/denials";
import type { Attention } from "@/lib/contracts/changes/attention";
import type { Role } from "@/lib/resources/permissions";
import { countWaitingCalls } from "@/lib/store/calls/approvals";
import { listPauses } from "@/lib/store/calls/pauses";
import { visibleRow } from "@/lib/store/requests/request-detail";
import { countOpenRequests, listRequests } from "@/lib/store/requests/requests";
import { countPendingDrift } from "@/lib/store/sources/drift";

const DAY_MS = 24 * 3_600_000;
/** Most changes without review in one answer. The banner of a page has no room for more. */
const MOST_UNCONFIRMED = 5;

/**
 * What waits for people, as a role may read it; `now` is epoch milliseconds. Every page polls it, so each part is one or
 * two statements that an index answers.
 *
 * @throws AppError `config_unavailable`
 */
export async function readAttention(reader: Role, now: number): Promise<Attention> {
  const from = new Date(now - DAY_MS).toISOString();
  const [calls, open, drift, denials, pauses, unconfirmed] = await Promise.all([
    countWaitingCalls(new Date(now)),
    countOpenRequests(),
    countPendingDrift(),
    listDenials({ from, limit: 1, state: "open" }, now),
    listPauses(),
    listRequests({ status: "bypassed", limit: MOST_UNCONFIRMED }, reader),
  ]);
  return {
    calls,
    ...open,
    drift,
    denials: denials.total,
    pauses,
    unconfirmed: unconfirmed.items.map((row) => visibleRow(row, reader)),
  };
}
