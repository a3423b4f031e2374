import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client as Postgres } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { archiveMonth } from "@/lib/audit/archive/archive";
import { archiveFolder } from "@/lib/audit/archive/archive-storage";
import { readArchive } from "@/lib/audit/archive/read-archive";
import { dropMonth, planRetention, readLogMonths } from "@/lib/audit/archive/retention";
import { loadTrustedKeys } from "@/lib/audit/seal/trusted-keys";
import { problemsOfProof, proveExecution } from "@/lib/audit/verify/proof";
import { verifyLog } from "@/lib/audit/verify/verify";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { enterAppRole } from "@/lib/store/db/connection-role";
import { db } from "@/lib/store/db/database";
import { logSession } from "@/lib/store/db/log-session";
import { ADMIN } from "@/test/api/agents-world";
import { LogWorld } from "@/test/audit/log-world";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const world = new LogWorld(database);
const folder = mkdtempSync(join(tmpdir(), "quartermaster-archive-"));
const storage = archiveFolder(folder);
const MAY = { actor: ADMIN, storage, bodies: false };
const MONTHS = ["2026-03", "2026-04"] as const;

const verify = () => verifyLog({ checkpoints: [] });
const opened = (target: string, at: string) =>
  recordAuditEvent({ actor: ADMIN, action: "executions.bodies", target, requestId: null }, db(), new Date(at));
const targets = async () =>
  (
    await database.query<{ target: string }>("select target from audit_event where target like 'seen %' order by id")
  ).map(({ target }) => target);
const privileged = (sql: string) =>
  database.query(`set session_replication_role = replica; ${sql}; reset session_replication_role`);

beforeAll(async () => {
  // An older version sealed these calls without their audit events; the first seal with events goes back to them.
  await opened("seen first", "2026-03-01T00:00:00Z");
  await world.callIn("2026-03");
  await world.sealCallsOnly();
  await opened("seen last", "2026-03-31T23:59:59.999Z");
  await world.callIn("2026-04");
  await opened("seen next", "2026-04-01T00:00:00Z");
  await world.seal();
  await opened("seen now", new Date().toISOString());
  await world.seal();
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("audit events", () => {
  it("are rows of the month in which they happened, and of its archive", async () => {
    const { months } = await readLogMonths();
    expect(months.filter(({ month }) => month < "2026-06")).toMatchObject([
      { month: "2026-04", rows: 7, unsealed: 0 },
      { month: "2026-03", rows: 8, unsealed: 0 },
    ]);
    const { id, rows } = await archiveMonth("2026-03", MAY);
    expect(rows).toBe(8);
    const keys = await logSession("read", loadTrustedKeys);
    expect(await readArchive(archiveFolder(join(folder, "2026-03", id)), keys)).toMatchObject({ problems: [] });
    expect(await database.query("select events from log_archive")).toEqual([{ events: 2 }]);
  });

  it("that were changed or are not sealed keep their month from being archived", async () => {
    await opened("seen late", "2026-03-15T00:00:00Z");
    await expect(archiveMonth("2026-03", MAY)).rejects.toThrow("1 rows of 2026-03 are not sealed");
    await privileged("delete from audit_event where target = 'seen late'");
    await privileged("update audit_event set actor = 'other' where target = 'seen first'");
    await expect(archiveMonth("2026-03", MAY)).rejects.toThrow("1 rows of 2026-03 are not sealed");
    await privileged("update audit_event set actor = 'test' where target = 'seen first'");
    expect((await verify()).intact).toBe(true);
  });

  it("cannot be deleted by the app, and a month of them that is gone without a record is found row for row", async () => {
    const app = new Postgres({ connectionString: database.url });
    await app.connect();
    await enterAppRole(app);
    await app.query("select set_config('quartermaster.dropped_month', '2026-03', false)");
    await expect(app.query("delete from audit_event")).rejects.toMatchObject({ code: "42501" });
    await app.query(
      `insert into log_archive (id, month, at, actor, place, rows, bodies, events, parts, seals, "keyId", signature)
       values ('arc_forged', '2026-03', now(), 'x', 'x', 7, 0, 1, '[]', '{"whole": [], "mixed": []}', 'k', 's')`,
    );
    await expect(app.query("select drop_log_month('2026-03', 'arc_forged')")).rejects.toThrow(
      "has audit events that its archive does not have",
    );
    await app.end();
    await privileged("delete from log_archive where id = 'arc_forged'");
    await expect(database.query("delete from audit_event")).rejects.toThrow("append-only");
    const gone = await world.copied(["audit_event"], async () => {
      await database.query("delete from audit_event where at < '2026-04-01'");
      return verify();
    });
    expect(gone.findings.map(({ kind, callId }) => [kind, callId])).toEqual([
      ["row_deleted", null],
      ["row_deleted", null],
    ]);
  });

  it("are archived again where an older version archived the calls alone", async () => {
    await privileged("update log_archive set events = null");
    const due = new Date("2027-08-01T00:00:00Z");
    expect(await planRetention(due)).toMatchObject(
      MONTHS.flatMap((month) => [
        { month, step: "archive" },
        { month, step: "drop" },
      ]),
    );
    await expect(dropMonth("2026-03", MAY)).rejects.toThrow("archive the month again");
    for (const month of MONTHS) await archiveMonth(month, MAY);
    expect(await planRetention(due)).toEqual(MONTHS.map((month) => ({ month, step: "drop" })));
  });

  it("go with their month, oldest first, and the log that is left is intact", async () => {
    await expect(dropMonth("2026-04", MAY)).rejects.toThrow("not dropped before 2026-03");
    const before = await verify();
    await dropMonth("2026-03", MAY);
    expect(await targets()).toEqual(["seen next", "seen now"]);
    expect(await verify()).toMatchObject({
      intact: true,
      rows: before.rows - 8,
      dropped: [{ month: "2026-03", rows: 8 }],
    });
    await dropMonth("2026-04", MAY);
    expect(await targets()).toEqual(["seen now"]);
    expect(await verify()).toMatchObject({ intact: true, rows: before.rows - 15 });
  });

  it("that answered an approval are in the archive's proof of the call, and no proof without it", async () => {
    const [callId = ""] = await world.callIn("2026-05");
    const event = { actor: ADMIN, target: callId, requestId: null };
    const at = new Date("2026-05-03T11:00:00Z");
    for (const action of ["executions.bodies", "approvals.approved"] as const)
      await recordAuditEvent({ ...event, action }, db(), at);
    await recordAuditEvent({ ...event, action: "approvals.approved", target: "call_dropped" }, db(), at);
    await world.seal();
    const { id } = await archiveMonth("2026-05", MAY);
    const keys = await logSession("read", loadTrustedKeys);
    const proofIn = async (call: string) =>
      (await readArchive(archiveFolder(join(folder, "2026-05", id)), keys, call)).proof;
    const proof = (await proofIn(callId))!;
    const inOrder = (records: readonly { readonly record: string }[]) => records.map(({ record }) => record).toSorted();
    expect(inOrder(proof.records)).toEqual(inOrder((await proveExecution(callId))!.records));
    expect([proof.records.length, problemsOfProof(proof, keys)]).toEqual([3, []]);
    expect(await proofIn("call_dropped")).toBeNull();
  });
});
