import type { ArchivedRows } from "@/lib/audit/archive/archived-rows";
import { isInRange, leavesOfOtherEras, waitingForLaterEra } from "@/lib/audit/seal/eras";
import type { Defects } from "@/lib/audit/verify/defects";
import { turn } from "@/lib/process/turn";
import { treeHash } from "@/lib/audit/seal/merkle";
import { byName, readRowsAndBodies, readSealedRows, type SealedRow } from "@/lib/audit/record/record";
import { hashesOf, toLeaves } from "@/lib/audit/seal/seal";
import { verifyBodies, type RowWithoutBody } from "@/lib/audit/verify/verify-bodies";
import type { SignedSeal } from "@/lib/contracts/log/seal";
import type { LogTables } from "@/lib/store/log/log-rows";
import type { RunQuery, Copy } from "@/lib/store/db/log-session";
import { readLeaves, type SealLeaves } from "@/lib/store/audit/seals";

/** A row in the list of a seal. */
type Leaf = Pick<SealedRow, "name" | "leaf">;

/** The number of compared rows and bodies, and of erased bodies. */
interface Batch {
  readonly rows: number;
  readonly bodies: number;
  readonly erased: number;
}

/** A seal, and its rows in the database. */
interface StoredBatch {
  readonly seal: SignedSeal;
  readonly rows: SealedRow[];
  readonly list: SealLeaves | null;
  /** Rows that commit to a body. */
  bodies: number;
  /** The rows whose body is missing or differs. */
  readonly without: RowWithoutBody[];
}

/**
 * Reads the rows of seals without gaps in one statement. A quiet log has one seal per second: statements per seal would
 * take longer than everything else.
 */
export async function readBatches(
  runQuery: RunQuery,
  copy: Copy,
  { calls, audit }: LogTables,
  seals: readonly SignedSeal[],
): Promise<readonly StoredBatch[]> {
  const lists = await readLeaves(runQuery, seals);
  const batches = seals.map((seal): StoredBatch => ({
    seal,
    rows: [],
    list: lists.get(seal.number) ?? null,
    bodies: 0,
    without: [],
  }));
  const range = { fromXid: seals[0]?.fromXid ?? 0, toXid: seals.at(-1)?.toXid ?? 0 };
  await readRowsAndBodies(copy, calls, range, ({ name, callId, xid, leaf, part, body }) => {
    const batch = batchOf(batches, xid);
    if (batch === undefined) throw new Error(`no seal covers transaction ${xid}`);
    batch.rows.push({ name, callId, xid, leaf });
    if (body !== "none") batch.bodies += 1;
    if (body === "edited" || body === "missing") batch.without.push({ callId, part, body });
  });
  const withEvents = batches.filter(({ seal }) => seal.auditFrom !== undefined);
  const [first, last] = [withEvents[0], withEvents.at(-1)];
  if (first === undefined || last === undefined) return batches;
  const events = { fromXid: beginOfEvents(first), toXid: last.seal.toXid };
  await readSealedRows(copy, [audit], events, ({ name, callId, xid, leaf }) => {
    batchOf(withEvents, xid, beginOfEvents)?.rows.push({ name, callId, xid, leaf });
  });
  return batches;
}

function beginOfCalls({ seal }: StoredBatch): number {
  return seal.fromXid;
}

function beginOfEvents({ seal }: StoredBatch): number {
  return seal.auditFrom ?? seal.toXid;
}

/** The last batch that begins at or before a transaction. */
function batchOf(
  batches: readonly StoredBatch[],
  xid: number,
  beginOf: (batch: StoredBatch) => number = beginOfCalls,
): StoredBatch | undefined {
  let [low, high] = [0, batches.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const batch = batches[middle];
    if (batch !== undefined && beginOf(batch) <= xid) low = middle;
    else high = middle - 1;
  }
  return batches[low];
}

/** Compares the rows and bodies of a seal with what was sealed. Rows of a dropped month may be missing. */
export async function verifyBatch(
  runQuery: RunQuery,
  { seal, rows, list, bodies, without }: StoredBatch,
  dropped: ArchivedRows,
  defects: Defects,
): Promise<Batch> {
  rows.sort(byName);
  // Yields, because sorting and hashing thousands of rows take a while.
  await turn();
  const erased = await verifyBodies(runQuery, seal.number, without, defects);
  const gone = isAsSealed(seal, rows, list) ? 0 : await findDifferences(runQuery, seal, rows, list, dropped, defects);
  return { rows: seal.count - gone, bodies, erased };
}

/** Whether the rows and the list are exactly what was signed: then there are no differences to find. */
function isAsSealed(seal: SignedSeal, rows: readonly SealedRow[], list: SealLeaves | null): boolean {
  if (rows.length !== seal.count || list === null) return false;
  const { root, records, hashes } = toLeaves(rows);
  return root === seal.root && records === list.records && Buffer.compare(hashes, list.hashes) === 0;
}

/** Adds the defects of a seal. Returns how many rows are absent because their month was dropped. */
async function findDifferences(
  runQuery: RunQuery,
  seal: SignedSeal,
  rows: readonly SealedRow[],
  list: SealLeaves | null,
  dropped: ArchivedRows,
  defects: Defects,
): Promise<number> {
  const { number } = seal;
  const leaves = list === null ? [] : leavesOf(list);
  if (rootOf(leaves) === seal.root) return compare(runQuery, seal, leaves, rows, dropped, defects);
  const gone = list === null ? "The list of its rows is missing." : "The list of its rows was changed.";
  defects.add("leaves_edited", number, null, gone);
  if (rootOf(rows) === seal.root) return 0;
  const detail = "Its rows differ from the sealed ones. Without its list, Quartermaster cannot say which rows.";
  defects.add("row_edited", number, null, detail);
  return 0;
}

function leavesOf(list: SealLeaves): Leaf[] {
  const hashes = hashesOf(list);
  return list.records.split("\n").map((name, index) => ({ name, leaf: hashes[index] ?? Buffer.alloc(0) }));
}

/** Finds sealed rows that are missing, rows that were not sealed, and rows that differ. */
async function compare(
  runQuery: RunQuery,
  seal: SignedSeal,
  leaves: readonly Leaf[],
  rows: readonly SealedRow[],
  dropped: ArchivedRows,
  defects: Defects,
): Promise<number> {
  const surplus = new Map(rows.map((row) => [row.leaf.toString("hex"), row]));
  const unmatched: Leaf[] = [];
  let gone = 0;
  for (const [index, { name, leaf }] of leaves.entries()) {
    const hash = leaf.toString("hex");
    const row = surplus.get(hash);
    if (row === undefined && dropped.has(seal.number, index)) gone += 1;
    else if (row === undefined) unmatched.push({ name, leaf });
    else if (row.name !== name)
      defects.add("leaves_edited", seal.number, callIdOf(row.name), "The list has this row under another name.");
    surplus.delete(hash);
  }
  const named = new Map([...surplus].map(([hash, { name }]) => [name, hash]));
  for (const { name } of unmatched) {
    const hash = named.get(name);
    if (hash === undefined) defects.add("row_deleted", seal.number, callIdOf(name), `The ${inWords(name)} is missing.`);
    else defects.add("row_edited", seal.number, callIdOf(name), `The ${inWords(name)} was changed.`);
    if (hash !== undefined) surplus.delete(hash);
  }
  if (surplus.size === 0) return gone;
  const fromXid = Math.min(seal.fromXid, seal.auditFrom ?? seal.fromXid);
  const ofOtherEras = await leavesOfOtherEras(runQuery, { fromXid, toXid: seal.toXid }, seal.era);
  const waiting = await waitingForLaterEra(runQuery, seal);
  for (const [hash, { name, xid }] of surplus)
    if (!ofOtherEras.has(hash) && !isInRange(waiting, xid))
      defects.add("row_inserted", seal.number, callIdOf(name), `The ${inWords(name)} was added after the seal.`);
  return gone;
}

function rootOf(rows: readonly Leaf[]): string | null {
  return rows.length === 0 ? null : treeHash(rows.map(({ leaf }) => leaf)).toString("hex");
}

/** The call of a sealed row; `null` for an audit event. */
function callIdOf(name: string): string | null {
  return name.startsWith("audit ") ? null : name.slice(name.indexOf(" ") + 1);
}

function inWords(name: string): string {
  if (name.startsWith("audit ")) return `audit event ${name.slice("audit ".length)}`;
  return name.startsWith("execution ") ? "intent" : "outcome";
}
