import { hashesOf } from "@/lib/audit/seal/seal";
import type { SignedSeal } from "@/lib/contracts/log/seal";
import type { RunQuery } from "@/lib/store/db/log-session";
import { readHorizon, readLastSeal, readLeaves, readSealsOfOtherEras, type XidRange } from "@/lib/store/audit/seals";

/**
 * The leaf hashes (hex) that other eras sealed under the same transaction numbers. After a restore the numbers start
 * anew, so rows of two eras may have the same numbers.
 */
export async function leavesOfOtherEras(
  runQuery: RunQuery,
  range: XidRange,
  era: number,
): Promise<ReadonlySet<string>> {
  const seals = await readSealsOfOtherEras(runQuery, range, era);
  const lists = await readLeaves(runQuery, seals);
  return new Set([...lists.values()].flatMap((leaves) => hashesOf(leaves).map((hash) => hash.toString("hex"))));
}

/** Whether the transaction of a row lies in a range. */
export function isInRange(range: XidRange | null, xid: number): boolean {
  return range !== null && xid >= range.fromXid && xid < range.toXid;
}

/**
 * The transactions of this cluster whose rows wait for a seal of a later era, although the previous cluster sealed the
 * same numbers in `seal`'s era; `null` while `seal`'s era is the present one.
 */
export async function waitingForLaterEra(runQuery: RunQuery, seal: SignedSeal): Promise<XidRange | null> {
  const last = await readLastSeal(runQuery);
  const { next } = await readHorizon(runQuery);
  if (last === null) return null;
  if (last.era > seal.era) return { fromXid: last.toXid, toXid: next };
  // Just restored: the next era has no seal yet.
  return last.toXid > next ? { fromXid: 0, toXid: next } : null;
}
