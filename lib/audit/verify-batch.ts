import type { ArchivedRows } from "@/lib/audit/archived-rows";
import { leavesOfOtherEras, waitingForLaterEra } from "@/lib/audit/eras";
import type { Findings } from "@/lib/audit/findings";
import { treeHash } from "@/lib/audit/merkle";
import { toSealedRows, byName, type SealedRow } from "@/lib/audit/record";
import { hashesOf, toLeaves } from "@/lib/audit/seal";
import { verifyBodies } from "@/lib/audit/verify-bodies";
import type { SignedSeal } from "@/lib/resources/seal";
import type { Ask } from "@/lib/store/log-session";
import { readLeaves, readRows, type LogRow, type SealLeaves, type XidRange } from "@/lib/store/seals";

/** A row as the list of a seal has it. */
type Leaf = Pick<SealedRow, "name" | "leaf">;

/** How many rows and bodies were compared. */
export interface Batch {
  readonly rows: number;
  readonly bodies: number;
  readonly erased: number;
}

/** What the database has of a seal. */
export interface StoredBatch {
  readonly stored: readonly LogRow[];
  readonly list: SealLeaves | null;
}

/** Reads the rows of a seal and their list. */
export async function readBatch(ask: Ask, seal: SignedSeal): Promise<StoredBatch> {
  return { stored: await readRows(ask, seal), list: await readLeaves(ask, seal.number) };
}

/** Compares the rows of a seal, and their bodies, with what was sealed; rows of a dropped month may be missing. */
export async function verifyBatch(
  ask: Ask,
  seal: SignedSeal,
  { stored, list }: StoredBatch,
  dropped: ArchivedRows,
  findings: Findings,
): Promise<Batch> {
  const rows = toSealedRows(stored).toSorted(byName);
  const bodies = await verifyBodies(ask, seal.number, stored, findings);
  const gone = isAsSealed(seal, rows, list) ? 0 : await findDifferences(ask, seal, rows, list, dropped, findings);
  return { rows: seal.count - gone, ...bodies };
}

/** Whether the rows, and the list, are exactly what was signed: then there is nothing to look for. */
function isAsSealed(seal: SignedSeal, rows: readonly SealedRow[], list: SealLeaves | null): boolean {
  if (rows.length !== seal.count || list === null) return false;
  const { root, records, hashes } = toLeaves(rows);
  return root === seal.root && records === list.records && Buffer.compare(hashes, list.hashes) === 0;
}

/** Adds what is wrong; answers how many rows are not here because their month was dropped. */
async function findDifferences(
  ask: Ask,
  seal: SignedSeal,
  rows: readonly SealedRow[],
  list: SealLeaves | null,
  dropped: ArchivedRows,
  findings: Findings,
): Promise<number> {
  const { number } = seal;
  const leaves = list === null ? [] : leavesOf(list);
  if (rootOf(leaves) === seal.root) return compare(ask, seal, leaves, rows, dropped, findings);
  const gone = list === null ? "The list of its rows is gone." : "The list of its rows is not what was signed.";
  findings.add("leaves_edited", number, null, gone);
  if (rootOf(rows) === seal.root) return 0;
  const detail = "Its rows are not those that were sealed; which of them, only its list could say.";
  findings.add("row_edited", number, null, detail);
  return 0;
}

function leavesOf(list: SealLeaves): Leaf[] {
  const hashes = hashesOf(list);
  return list.records.split("\n").map((name, index) => ({ name, leaf: hashes[index] ?? Buffer.alloc(0) }));
}

/** What was sealed and is not there, what is there and was not sealed, and what is there otherwise. */
async function compare(
  ask: Ask,
  seal: SignedSeal,
  leaves: readonly Leaf[],
  rows: readonly SealedRow[],
  dropped: ArchivedRows,
  findings: Findings,
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
      findings.add("leaves_edited", seal.number, row.callId, "The list has it under another name.");
    surplus.delete(hash);
  }
  const named = new Map([...surplus].map(([hash, { name }]) => [name, hash]));
  for (const { name } of unmatched) {
    const hash = named.get(name);
    if (hash === undefined) findings.add("row_deleted", seal.number, callIdOf(name), `The ${kindOf(name)} is gone.`);
    else findings.add("row_edited", seal.number, callIdOf(name), `The ${kindOf(name)} was changed.`);
    if (hash !== undefined) surplus.delete(hash);
  }
  if (surplus.size === 0) return gone;
  const ofOtherEras = await leavesOfOtherEras(ask, seal, seal.era);
  const waiting = await waitingForLaterEra(ask, seal);
  for (const [hash, { name, callId, text }] of surplus)
    if (!ofOtherEras.has(hash) && !isWithin(waiting, text))
      findings.add("row_inserted", seal.number, callId, `The ${kindOf(name)} was added after the seal.`);
  return gone;
}

/** Whether the transaction that wrote a row is one of these. */
function isWithin(range: XidRange | null, text: string): boolean {
  const xid = Number((JSON.parse(text) as { readonly xid: string }).xid);
  return range !== null && xid >= range.fromXid && xid < range.toXid;
}

function rootOf(rows: readonly Leaf[]): string | null {
  return rows.length === 0 ? null : treeHash(rows.map(({ leaf }) => leaf)).toString("hex");
}

function callIdOf(name: string): string {
  return name.slice(name.indexOf(" ") + 1);
}

function kindOf(name: string): string {
  return name.startsWith("execution ") ? "intent" : "outcome";
}
