import { append } from "@/lib/access/model/lists";
import type { ArchivedRows } from "@/lib/audit/archive/archived-rows";
import { isInRange, leavesOfOtherEras, waitingForLaterEra } from "@/lib/audit/seal/eras";
import type { Defects } from "@/lib/audit/verify/defects";
import { turn } from "@/lib/process/turn";
import { treeHash } from "@/lib/audit/seal/merkle";
import { byName, readRowsAndBodies, readSealedRows, type SealedRow } from "@/lib/audit/record/record";
import { hashesOf, toLeaves } from "@/lib/audit/seal/seal";
import { verifyBodies, type RowWithBody } from "@/lib/audit/verify/verify-bodies";
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
  readonly rows: RowWithBody[];
  readonly list: SealLeaves | null;
}

/** Where a seal's list and the database may differ without a defect. */
interface Absent {
  /** How many rows are absent because their month was dropped. */
  readonly gone: number;
  /** Rows of the same transaction numbers that belong to seals of other eras. */
  readonly foreign: ReadonlySet<RowWithBody>;
}

const NONE_ABSENT: Absent = { gone: 0, foreign: new Set() };

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
  }));
  const range = { fromXid: seals[0]?.fromXid ?? 0, toXid: seals.at(-1)?.toXid ?? 0 };
  await readRowsAndBodies(copy, calls, range, (row) => {
    const batch = batchOf(batches, row.xid);
    if (batch === undefined) throw new Error(`no seal covers transaction ${row.xid}`);
    batch.rows.push(row);
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
  { seal, rows, list }: StoredBatch,
  dropped: ArchivedRows,
  defects: Defects,
): Promise<Batch> {
  rows.sort(byName);
  // Yields, because sorting and hashing thousands of rows take a while.
  await turn();
  const { gone, foreign } = isAsSealed(seal, rows, list)
    ? NONE_ABSENT
    : await findDifferences(runQuery, seal, rows, list, dropped, defects);
  // A body belongs to the seal of its row: two eras may read the same row.
  const own = rows.filter((row) => row.body !== undefined && row.body !== "none" && !foreign.has(row));
  const erased = await verifyBodies(runQuery, seal.number, own, defects);
  return { rows: seal.count - gone, bodies: own.length, erased };
}

/** Whether the rows and the list are exactly what was signed: then there are no differences to find. */
function isAsSealed(seal: SignedSeal, rows: readonly SealedRow[], list: SealLeaves | null): boolean {
  if (rows.length !== seal.count || list === null) return false;
  const { root, records, hashes } = toLeaves(rows);
  return root === seal.root && records === list.records && Buffer.compare(hashes, list.hashes) === 0;
}

/** Adds the defects of a seal. */
async function findDifferences(
  runQuery: RunQuery,
  seal: SignedSeal,
  rows: readonly RowWithBody[],
  list: SealLeaves | null,
  dropped: ArchivedRows,
  defects: Defects,
): Promise<Absent> {
  const { number } = seal;
  const leaves = list === null ? [] : leavesOf(list);
  if (rootOf(leaves) === seal.root) return compare(runQuery, seal, leaves, rows, dropped, defects);
  const gone = list === null ? "The list of its rows is missing." : "The list of its rows was changed.";
  defects.add("leaves_edited", number, null, gone);
  if (rootOf(rows) === seal.root) return NONE_ABSENT;
  const detail = "Its rows differ from the sealed ones. Without its list, Quartermaster cannot say which rows.";
  defects.add("row_edited", number, null, detail);
  return NONE_ABSENT;
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
  rows: readonly RowWithBody[],
  dropped: ArchivedRows,
  defects: Defects,
): Promise<Absent> {
  // By hash. A row that was inserted twice has the same hash twice.
  const unlisted = new Map<string, RowWithBody[]>();
  for (const row of rows) append(unlisted, row.leaf.toString("hex"), row);
  const unmatched: Leaf[] = [];
  let gone = 0;
  for (const [index, { name, leaf }] of leaves.entries()) {
    const row = unlisted.get(leaf.toString("hex"))?.pop();
    if (row === undefined && dropped.has(seal.number, index)) gone += 1;
    else if (row === undefined) unmatched.push({ name, leaf });
    else if (row.name !== name)
      defects.add("leaves_edited", seal.number, callIdOf(row.name), "The list has this row under another name.");
  }
  const surplus = new Set([...unlisted.values()].flat());
  const named = new Map([...surplus].map((row) => [row.name, row]));
  for (const { name } of unmatched) {
    const row = named.get(name);
    if (row === undefined) defects.add("row_deleted", seal.number, callIdOf(name), `The ${inWords(name)} is missing.`);
    else defects.add("row_edited", seal.number, callIdOf(name), `The ${inWords(name)} was changed.`);
    if (row !== undefined) surplus.delete(row);
  }
  if (surplus.size === 0) return { gone, foreign: surplus };
  const fromXid = Math.min(seal.fromXid, seal.auditFrom ?? seal.fromXid);
  const ofOtherEras = await leavesOfOtherEras(runQuery, { fromXid, toXid: seal.toXid }, seal.era);
  const waiting = await waitingForLaterEra(runQuery, seal);
  for (const row of surplus) {
    if (ofOtherEras.has(row.leaf.toString("hex")) || isInRange(waiting, row.xid)) continue;
    surplus.delete(row);
    const { name } = row;
    defects.add("row_inserted", seal.number, callIdOf(name), `The ${inWords(name)} was added after the seal.`);
  }
  return { gone, foreign: surplus };
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
