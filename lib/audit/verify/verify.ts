import { append } from "@/lib/access/model/lists";
import { loadDropped } from "@/lib/audit/verify/dropped";
import { Defects } from "@/lib/audit/verify/defects";
import type { TrustedKeys } from "@/lib/audit/seal/trusted-keys";
import { loadTrustedKeys } from "@/lib/audit/seal/trusted-keys";
import { newestOf } from "@/lib/audit/seal/checkpoint";
import { everyGroup } from "@/lib/audit/seal/seal-groups";
import { BEFORE_ALL, isSignedBy, sealHash } from "@/lib/audit/seal/seal";
import { readBatches, verifyBatch } from "@/lib/audit/verify/verify-batch";
import type { SignedSeal, VerifyOutput } from "@/lib/contracts/log/seal";
import { readLogTables } from "@/lib/store/log/log-rows";
import { logSession, type RunQuery } from "@/lib/store/db/log-session";
import { countSealed, readProtection, readUnsealed } from "@/lib/store/audit/seals";

/**
 * Milliseconds after which an unsealed row is a defect: rows are sealed within five seconds
 * (docs/reference/promises.md#log).
 */
const UNSEALED_MS = 60_000;

/** The input of a verification besides the database. */
export interface VerifyOptions {
  /** The content of the checkpoint stores. */
  readonly checkpoints: readonly SignedSeal[];
  /** Called after each seal with the number of rows under seals so far, and under all seals. */
  readonly onProgress?: (done: number, all: number) => void;
  readonly now?: () => Date;
}

/**
 * Compares every sealed row and body with its seal, every seal with its signature and its predecessor, and all seals
 * with the checkpoints. Finds every changed, removed, inserted or exchanged row at its place
 * (docs/reference/log.md#seals).
 * Reads one consistent state of the database, however long it takes; calls continue meanwhile.
 * @throws errors of the store
 */
export async function verifyLog(options: VerifyOptions): Promise<VerifyOutput> {
  const { checkpoints, onProgress, now = () => new Date() } = options;
  const started = performance.now();
  return logSession("read", async (runQuery, copy) => {
    const defects = new Defects();
    const keys = await loadTrustedKeys(runQuery);
    const dropped = await loadDropped(runQuery, keys, defects);
    const checkpointsOf = new Map<number, SignedSeal[]>();
    for (const seal of checkpoints) append(checkpointsOf, seal.number, seal);
    const totals = { seals: 0, rows: 0, bodies: 0, erased: 0 };
    let last: SignedSeal | null = null;
    let eventsSealed: SignedSeal | null = null;
    const tables = await readLogTables(runQuery);
    const progress = { done: 0, all: await countSealed(runQuery) };
    for await (const group of everyGroup(runQuery)) {
      for (const stored of await readBatches(runQuery, copy, tables, group)) {
        const { seal } = stored;
        verifySeal(seal, last, keys, defects);
        // After a gap the expected start is unknown: the gap itself is a defect.
        if (seal.number === (last?.number ?? 0) + 1) verifyAuditRange(seal, eventsSealed, defects);
        if (seal.auditFrom !== undefined) eventsSealed = seal;
        for (const checkpoint of checkpointsOf.get(seal.number) ?? []) compareWithCheckpoint(seal, checkpoint, defects);
        const batch = await verifyBatch(runQuery, stored, dropped.rows, defects);
        totals.seals += 1;
        totals.rows += batch.rows;
        totals.bodies += batch.bodies;
        totals.erased += batch.erased;
        progress.done += seal.count;
        onProgress?.(progress.done, progress.all);
        last = seal;
      }
    }
    const checkpoint = newestOf(checkpoints);
    findRollback(last, checkpoint, defects);
    const at = now();
    const unsealed = await findUnsealed(runQuery, last, at, defects);
    return {
      intact: defects.count === 0,
      at: at.toISOString(),
      durationMs: Math.round(performance.now() - started),
      ...totals,
      dropped: dropped.months,
      unsealed,
      last,
      checkpoint,
      protection: await readProtection(runQuery),
      findings: defects.first,
      found: defects.count,
    };
  });
}

/** Verifies a seal's number, its signature, and its link to the previous seal. */
function verifySeal(seal: SignedSeal, before: SignedSeal | null, keys: TrustedKeys, defects: Defects): void {
  const { number } = seal;
  const add = (kind: Parameters<Defects["add"]>[0], detail: string) => defects.add(kind, number, null, detail);
  const publicKey = keys.get(seal.keyId);
  if (publicKey === undefined) add("key_unknown", `Its key ${seal.keyId} is not a key of this installation.`);
  else if (!isSignedBy(seal, publicKey)) add("seal_edited", "Its signature is not valid.");
  const expected = (before?.number ?? 0) + 1;
  if (number > expected)
    add(
      "seal_missing",
      number === expected + 1 ? `Seal ${expected} is missing.` : `Seals ${expected} to ${number - 1} are missing.`,
    );
  else if (seal.previous !== (before === null ? BEFORE_ALL : sealHash(before)))
    add(
      "seal_edited",
      before === null ? "It names a seal before it, but it is the first." : "It does not follow the seal before it.",
    );
  const expectedStart = before !== null && before.era === seal.era ? before.toXid : 0;
  if (number === expected && seal.fromXid !== expectedStart)
    add("seal_edited", `It begins at transaction ${seal.fromXid} instead of ${expectedStart}.`);
}

/** Audit events are sealed without a gap, even when an older app made seals without them in between. */
function verifyAuditRange(seal: SignedSeal, before: SignedSeal | null, defects: Defects): void {
  if (seal.auditFrom === undefined) return;
  const expectedStart = before !== null && before.era === seal.era ? before.toXid : 0;
  if (seal.auditFrom === expectedStart) return;
  const detail = `Its audit events begin at transaction ${seal.auditFrom} instead of ${expectedStart}.`;
  defects.add("seal_edited", seal.number, null, detail);
}

function compareWithCheckpoint(seal: SignedSeal, checkpoint: SignedSeal, defects: Defects): void {
  if (sealHash(checkpoint) === sealHash(seal)) return;
  defects.add(
    "checkpoint_differs",
    seal.number,
    null,
    `The checkpoint of ${checkpoint.at} has another seal with this number.`,
  );
}

function findRollback(last: SignedSeal | null, checkpoint: SignedSeal | null, defects: Defects): void {
  const lastNumber = last?.number ?? 0;
  if (checkpoint === null || checkpoint.number <= lastNumber) return;
  const detail = `The checkpoint of ${checkpoint.at} has seal ${checkpoint.number}, but the database ends with seal ${lastNumber}.`;
  defects.add("rolled_back", checkpoint.number, null, detail);
}

/** Rows that wait for a seal are a defect only when they have waited too long. */
async function findUnsealed(runQuery: RunQuery, last: SignedSeal | null, at: Date, defects: Defects): Promise<number> {
  const { count, oldest } = await readUnsealed(runQuery, last);
  if (oldest !== null && at.getTime() - oldest.getTime() > UNSEALED_MS)
    defects.add("unsealed", null, null, `${count} rows wait for a seal, one of them since ${oldest.toISOString()}.`);
  return count;
}
