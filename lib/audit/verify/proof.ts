import { AppError } from "@/lib/errors";
import { Defects } from "@/lib/audit/verify/defects";
import { isInRange, waitingForLaterEra } from "@/lib/audit/seal/eras";
import { inclusionPath, leafHash, rootOf } from "@/lib/audit/seal/merkle";
import { readRowsAndBodies, readSealedRows, type ReadRow, type TextRow } from "@/lib/audit/record/record";
import { hashesOf, isSignedBy } from "@/lib/audit/seal/seal";
import { verifyBodies } from "@/lib/audit/verify/verify-bodies";
import { loadTrustedKeys, type TrustedKeys } from "@/lib/audit/seal/trusted-keys";
import type { ExecutionProof, SealedRecord } from "@/lib/contracts/log/seal";
import { readLogTables } from "@/lib/store/log/log-rows";
import { logSession, type RunQuery } from "@/lib/store/db/log-session";
import { readLeaves, readSealsCovering } from "@/lib/store/audit/seals";

/**
 * Proves an execution to a person who has only the public key: its rows, the audit event of its approval, and the hashes
 * from each row to a signed root.
 * `null` while its intent is unsealed, or when there is no such execution.
 * @throws AppError `conflict` when a row, or a body, differs from what was sealed; errors of the store
 */
export async function proveExecution(callId: string): Promise<ExecutionProof | null> {
  return logSession("read", async (runQuery, copy) => {
    const { calls, audit } = await readLogTables(runQuery);
    const rows: TextRow[] = [];
    await readSealedRows(copy, [...calls, audit], { callId }, (row, { text }) => rows.push({ ...row, text }));
    const records: SealedRecord[] = [];
    // The event of an approval may outlive its call: it is dropped with the month of the answer.
    let hasCall = false;
    for (const row of rows) {
      const record = await proveRow(runQuery, row);
      if (record === null) continue;
      records.push(record);
      hasCall ||= row.callId !== "";
    }
    if (!hasCall) return null;
    const defects = new Defects();
    const withBodies: ReadRow[] = [];
    await readRowsAndBodies(copy, calls, { callId }, (row) => withBodies.push(row));
    await verifyBodies(runQuery, 0, withBodies, defects);
    if (defects.count > 0) throw altered("body");
    const trusted = await loadTrustedKeys(runQuery);
    const keyIds = new Set(records.map(({ seal }) => seal.keyId));
    const keys = [...keyIds].flatMap((kid) => {
      const x = trusted.get(kid);
      return x === undefined ? [] : [{ kty: "OKP" as const, crv: "Ed25519" as const, x, kid }];
    });
    return { callId, records, keys };
  });
}

async function proveRow(runQuery: RunQuery, { callId, text, leaf, xid }: TextRow): Promise<SealedRecord | null> {
  const covering = await readSealsCovering(runQuery, { fromXid: xid, toXid: xid + 1 });
  // Seals of older versions cover no audit events. A later seal covers them.
  const seals = covering.filter(({ auditFrom }) => callId !== "" || auditFrom !== undefined);
  const lists = await readLeaves(runQuery, seals);
  for (const seal of seals) {
    const leaves = lists.get(seal.number);
    const hashes = leaves === undefined ? [] : hashesOf(leaves);
    const index = hashes.findIndex((hash) => hash.equals(leaf));
    if (index !== -1)
      return { record: text, index, path: inclusionPath(hashes, index).map((hash) => hash.toString("hex")), seal };
  }
  const newest = seals.at(-1);
  if (newest === undefined || isInRange(await waitingForLaterEra(runQuery, newest), xid)) return null;
  throw altered("row");
}

function altered(what: string): AppError {
  return new AppError("conflict", `A ${what} of this call differs from the sealed one: verify the log.`);
}

/**
 * The problems of a proof, one sentence each; none = the log held exactly these rows when it was sealed. Needs no other
 * source: `keys` are the public keys that the reader trusts, by thumbprint.
 */
export function problemsOfProof({ callId, records }: ExecutionProof, keys: TrustedKeys): string[] {
  return records.flatMap(({ record, index, path, seal }) => {
    const which = `Seal ${seal.number}`;
    const x = keys.get(seal.keyId);
    const root = rootOf(
      leafHash(record),
      index,
      seal.count,
      path.map((hash) => Buffer.from(hash, "hex")),
    );
    return [
      ...(callOf(record) === callId ? [] : [`${which}: the record is not of ${callId}.`]),
      ...(root?.toString("hex") === seal.root ? [] : [`${which}: the record was changed.`]),
      ...(x === undefined ? [`${which}: its key ${seal.keyId} is not among the given keys.`] : []),
      ...(x !== undefined && !isSignedBy(seal, x) ? [`${which}: its signature is not valid.`] : []),
    ];
  });
}

/** The call of a record; an audit event names it as its target. */
function callOf(record: string): unknown {
  try {
    const value: unknown = JSON.parse(record);
    if (typeof value !== "object" || value === null) return undefined;
    return Reflect.get(value, Reflect.get(value, "record") === "audit" ? "target" : "callId");
  } catch {
    return undefined;
  }
}
