import { expect, it } from "vitest";
import { byName, readSealedRows, type SealedRow } from "@/lib/audit/record/record";
import { BEFORE_ALL, sealHash, signSeal, toLeaves } from "@/lib/audit/seal/seal";
import { verifyLog } from "@/lib/audit/verify/verify";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { readLogTables } from "@/lib/store/log/log-rows";
import { logSession } from "@/lib/store/db/log-session";
import { addSeal, readHorizon, readLastSeal } from "@/lib/store/audit/seals";
import { signingKeys } from "@/lib/store/keys/signing-keys";
import { LogWorld } from "@/test/audit/log-world";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const world = new LogWorld(database);
const ADA = { kind: "user", name: "ada@localhost", role: "admin" } as const;

/** A seal like one of an older app that still runs while the new app starts: it covers calls and no audit events. */
async function sealCallsOnly(): Promise<void> {
  await logSession("add", async (ask, copy) => {
    const last = await readLastSeal(ask);
    const range = { fromXid: last?.toXid ?? 0, toXid: (await readHorizon(ask)).settled };
    const rows: SealedRow[] = [];
    await readSealedRows(copy, (await readLogTables(ask)).calls, range, (row) => rows.push(row));
    const { root, ...leaves } = toLeaves(rows.toSorted(byName));
    const [key] = signingKeys("seal");
    const previous = last === null ? BEFORE_ALL : sealHash(last);
    const number = (last?.number ?? 0) + 1;
    const at = new Date().toISOString();
    const count = rows.length;
    await addSeal(ask, signSeal({ number, at, era: 1, ...range, count, root, previous, keyId: key.kid }, key), leaves);
  });
}

it("the next seal covers audit events that an older app left out, and edits of them are found", async () => {
  for (const target of ["before", "between"]) {
    await recordAuditEvent({ actor: ADA, action: "executions.bodies", target, requestId: null });
    await world.call();
    await sealCallsOnly();
    if (target === "before") await world.seal();
  }
  expect(await verifyLog({ checkpoints: [] })).toMatchObject({ intact: true });
  await recordAuditEvent({ actor: ADA, action: "executions.bodies", target: "after", requestId: null });
  await world.seal();
  expect(await verifyLog({ checkpoints: [] })).toMatchObject({ intact: true, unsealed: 0 });
  await world.keep();
  for (const target of ["before", "between", "after"]) {
    const { findings } = await world.tamper(`update audit_event set actor = 'eve' where target = '${target}'`);
    expect(findings.map(({ kind }) => kind)).toEqual(["row_edited"]);
  }
});
