import { leavesOfOtherEras } from "@/lib/audit/seal/eras";
import { byName, readSealedRows, type SealedRow } from "@/lib/audit/record/record";
import { BEFORE_ALL, sealHash, signSeal, toLeaves } from "@/lib/audit/seal/seal";
import { vouchForOlderKeys } from "@/lib/audit/seal/trusted-keys";
import type { SignedSeal } from "@/lib/contracts/log/seal";
import { readLogTables } from "@/lib/store/log/log-rows";
import { logSession, type RunQuery, type Copy } from "@/lib/store/db/log-session";
import {
  addSeal,
  becomeSealer,
  readAuditEnd,
  readBatchEnd,
  readHighest,
  readHorizon,
  readLastSeal,
  type BatchRange,
} from "@/lib/store/audit/seals";
import { signingKeys } from "@/lib/store/keys/signing-keys";

/** Rows per seal. A batch contains whole transactions, so it may hold a few more. */
const BATCH_ROWS = 2_048;

/**
 * Seals every unsealed row whose transaction has ended, batch after batch. Does nothing while another sealer runs.
 * Neither waits for writers nor makes them wait.
 * @returns the new seals in order
 * @throws errors of the store
 */
export async function sealSettled(now: () => Date = () => new Date()): Promise<readonly SignedSeal[]> {
  const seals: SignedSeal[] = [];
  let from = 0;
  for (;;) {
    const { seal, next } = await logSession("add", (runQuery, copy) => sealBatch(runQuery, copy, from, now()));
    if (seal !== null) seals.push(seal);
    if (next === null) return seals;
    from = next;
  }
}

/**
 * Seals one batch in one transaction; `next` is where more rows may follow. This pass has found no unsealed rows below
 * `from`, so it reads from there. The seal still begins where the last one ended.
 */
async function sealBatch(
  runQuery: RunQuery,
  copy: Copy,
  from: number,
  at: Date,
): Promise<{ seal: SignedSeal | null; next: number | null }> {
  if (!(await becomeSealer(runQuery))) return { seal: null, next: null };
  const last = await readLastSeal(runQuery);
  const { era, fromXid, upTo } = await nextStretch(runQuery, last);
  const auditFrom = await readAuditEnd(runQuery, era);
  if (upTo < fromXid) return { seal: null, next: null };
  const unread = { fromXid: Math.max(fromXid, from), auditFrom: Math.max(auditFrom, from), toXid: upTo };
  const end = await readBatchEnd(runQuery, unread, BATCH_ROWS);
  const rows = await unsealedRows(runQuery, copy, { ...unread, toXid: end ?? upTo }, era);
  if (rows.length === 0) return { seal: null, next: end };
  const { root, ...leaves } = toLeaves(rows);
  const [key] = signingKeys("seal");
  const seal = signSeal(
    {
      number: (last?.number ?? 0) + 1,
      at: at.toISOString(),
      era,
      fromXid,
      toXid: end ?? upTo,
      auditFrom,
      count: rows.length,
      root,
      previous: last === null ? BEFORE_ALL : sealHash(last),
      keyId: key.kid,
    },
    key,
  );
  if (last?.keyId !== key.kid) await vouchForOlderKeys(runQuery);
  await addSeal(runQuery, seal, leaves);
  return { seal, next: end };
}

/**
 * The transactions to seal next. When the last seal is ahead of the database's own numbers, the log was restored into
 * another database, which counts anew. Rows written before the restore are sealed first, then a new era begins.
 */
async function nextStretch(
  runQuery: RunQuery,
  last: SignedSeal | null,
): Promise<{ readonly era: number; readonly fromXid: number; readonly upTo: number }> {
  const { settled, next } = await readHorizon(runQuery);
  if (last === null) return { era: 1, fromXid: 0, upTo: settled };
  if (last.toXid <= next) return { era: last.era, fromXid: last.toXid, upTo: settled };
  const highest = await readHighest(runQuery, last.toXid);
  if (highest !== null) return { era: last.era, fromXid: last.toXid, upTo: highest + 1 };
  return { era: last.era + 1, fromXid: 0, upTo: settled };
}

/** The rows of a batch in the order of leaves, without rows that an earlier era sealed under the same numbers. */
async function unsealedRows(runQuery: RunQuery, copy: Copy, range: BatchRange, era: number): Promise<SealedRow[]> {
  const fromXid = Math.min(range.fromXid, range.auditFrom);
  const sealed = era === 1 ? new Set() : await leavesOfOtherEras(runQuery, { ...range, fromXid }, era);
  const rows: SealedRow[] = [];
  const add = ({ name, callId, xid, leaf }: SealedRow) => {
    if (!sealed.has(leaf.toString("hex"))) rows.push({ name, callId, xid, leaf });
  };
  const { calls, audit } = await readLogTables(runQuery);
  await readSealedRows(copy, calls, range, add);
  await readSealedRows(copy, [audit], { ...range, fromXid: range.auditFrom }, add);
  return rows.toSorted(byName);
}
