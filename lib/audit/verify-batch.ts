import { leavesOfOtherEras } from "@/lib/audit/eras";
import type { Findings } from "@/lib/audit/findings";
import { treeHash } from "@/lib/audit/merkle";
import { byName, toSealedRow, type SealedRow } from "@/lib/audit/record";
import { hashesOf } from "@/lib/audit/seal";
import { verifyBodies } from "@/lib/audit/verify-bodies";
import type { SignedSeal } from "@/lib/resources/seal";
import type { Ask } from "@/lib/store/log-session";
import { readLeaves, readRows } from "@/lib/store/seals";

/** A row as the list of a seal has it. */
type Leaf = Pick<SealedRow, "name" | "leaf">;

/** How many rows and bodies were compared. */
export interface Batch {
  readonly rows: number;
  readonly bodies: number;
  readonly erased: number;
}

/** Compares the rows of a seal, and their bodies, with what was sealed. */
export async function verifyBatch(ask: Ask, seal: SignedSeal, findings: Findings): Promise<Batch> {
  const stored = await readRows(ask, seal);
  const rows = stored.map(toSealedRow).toSorted(byName);
  const bodies = await verifyBodies(ask, seal.number, stored, findings);
  const leaves = await readSignedLeaves(ask, seal, findings);
  if (leaves !== null) await compare(ask, seal, leaves, rows, findings);
  else if (rootOf(rows) !== seal.root)
    findings.add(
      "row_edited",
      seal.number,
      null,
      "Its rows are not those that were sealed; which of them, only its list could say.",
    );
  return { rows: rows.length, ...bodies };
}

/** The list of a seal's rows, if it is the one that was signed. */
async function readSignedLeaves(ask: Ask, seal: SignedSeal, findings: Findings): Promise<Leaf[] | null> {
  const stored = await readLeaves(ask, seal.number);
  const hashes = stored === null ? [] : hashesOf(stored);
  const leaves = (stored?.records ?? []).map((name, index) => ({ name, leaf: hashes[index] ?? Buffer.alloc(0) }));
  const whole = leaves.length === seal.count && hashes.length === seal.count;
  if (whole && rootOf(leaves) === seal.root) return leaves;
  findings.add(
    "leaves_edited",
    seal.number,
    null,
    stored === null ? "The list of its rows is gone." : "The list of its rows is not what was signed.",
  );
  return null;
}

/** What was sealed and is not there, what is there and was not sealed, and what is there otherwise. */
async function compare(
  ask: Ask,
  seal: SignedSeal,
  leaves: readonly Leaf[],
  rows: readonly SealedRow[],
  findings: Findings,
): Promise<void> {
  const surplus = new Map(rows.map((row) => [row.leaf.toString("hex"), row]));
  const unmatched: Leaf[] = [];
  for (const { name, leaf } of leaves) {
    const hash = leaf.toString("hex");
    const row = surplus.get(hash);
    if (row === undefined) unmatched.push({ name, leaf });
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
  if (surplus.size === 0) return;
  const ofOtherEras = await leavesOfOtherEras(ask, seal, seal.era);
  for (const [hash, { name, callId }] of surplus)
    if (!ofOtherEras.has(hash))
      findings.add("row_inserted", seal.number, callId, `The ${kindOf(name)} was added after the seal.`);
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
