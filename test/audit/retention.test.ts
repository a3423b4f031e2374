import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client as Postgres } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GET as changes } from "@/app/api/admin/changes/route";
import { archiveMonth } from "@/lib/audit/archive/archive";
import { archiveAddress, archiveFolder } from "@/lib/audit/archive/archive-storage";
import { proveExecution, problemsOfProof } from "@/lib/audit/verify/proof";
import { readArchive } from "@/lib/audit/archive/read-archive";
import { dropMonth, planRetention, readLogMonths } from "@/lib/audit/archive/retention";
import { RetentionKeeper } from "@/lib/audit/archive/retention-keeper";
import { loadTrustedKeys, type TrustedKeys } from "@/lib/audit/seal/trusted-keys";
import { verifyLog } from "@/lib/audit/verify/verify";
import { outboundClient } from "@/lib/outbound/fetch";
import type { VerifyOutput } from "@/lib/contracts/log/seal";
import { settingsInput } from "@/lib/resources/settings";
import {
  claimArchiving,
  endArchiving,
  noteArchiving,
  readArchivings,
  requestArchive,
} from "@/lib/store/audit/archivings";
import { enterAppRole } from "@/lib/store/db/connection-role";
import { logSession } from "@/lib/store/db/log-session";
import { readSettings, saveSettings } from "@/lib/store/config/settings";
import { ADMIN } from "@/test/api/agents-world";
import { LogWorld } from "@/test/audit/log-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { serve } from "@/test/support/servers/serve";

const database = useDatabase();
const world = new LogWorld(database);
const folder = mkdtempSync(join(tmpdir(), "quartermaster-archive-"));
const storage = archiveFolder(folder);
const MAY = { actor: ADMIN, storage, bodies: true };
/** The calls of each month. One seal covers the last of one month and the first of the next. */
const calls: Record<string, string[]> = {};
let keys: TrustedKeys;

const verify = () => verifyLog({ checkpoints: [] });
const found = ({ findings }: VerifyOutput) =>
  findings.map(({ kind, callId }) => `${kind} ${callId ?? ""}`.trim()).toSorted();
const keep = async (retention: object) => {
  const { version } = await readSettings();
  await saveSettings(ADMIN, settingsInput.parse({ retention }), version);
};

async function callIn(month: string): Promise<void> {
  calls[month] = [...(calls[month] ?? []), ...(await world.callIn(month))];
}

const tampered = (sql: string) =>
  world.copied(["log_drop", "log_archive"], async () => {
    await database.query(sql);
    return verify();
  });

beforeAll(async () => {
  await callIn("2026-04");
  await world.seal();
  await callIn("2026-04");
  await callIn("2026-05");
  await world.seal();
  await callIn("2026-05");
  await world.seal();
  await world.call();
  await world.seal();
  keys = await logSession("read", loadTrustedKeys);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("an archive of a month", () => {
  it("is refused for the present month, and for a month with a changed row", async () => {
    const present = new Date().toISOString().slice(0, 7);
    await expect(archiveMonth(present, MAY)).rejects.toMatchObject({ code: "conflict" });
    await expect(archiveMonth("2020-01", MAY)).rejects.toThrow("no rows of 2020-01");
    const edit = (asked: string) =>
      database.query(`set session_replication_role = replica;
        update execution set asked = '${asked}' where "callId" = '${calls["2026-04"]?.[0]}';
        reset session_replication_role`);
    await edit("other");
    await expect(archiveMonth("2026-04", MAY)).rejects.toThrow("1 rows of 2026-04 are not sealed");
    await edit("builtin:calculate");
  });

  it("contains every row as sealed and every body, with a signature", async () => {
    const manifest = await archiveMonth("2026-04", MAY);
    expect(manifest).toMatchObject({ month: "2026-04", rows: 12, bodies: 8 });
    expect(manifest.seals.mixed.length).toBeGreaterThanOrEqual(1);
    const own = archiveFolder(join(folder, "2026-04", manifest.id));
    expect(await readArchive(own, keys)).toMatchObject({ problems: [] });
    expect((await readArchive(own, new Map())).problems.length).toBeGreaterThan(1);
  });

  it("that was altered is invalid, and its month cannot be dropped", async () => {
    const { id, parts } = await archiveMonth("2026-04", MAY);
    const file = join(folder, "2026-04", id, parts[0]?.name ?? "");
    const bytes = readFileSync(file);
    writeFileSync(file, Buffer.concat([bytes.subarray(0, 40), Buffer.of(bytes[40]! ^ 1), bytes.subarray(41)]));
    expect((await readArchive(archiveFolder(join(folder, "2026-04", id)), keys)).problems).toContain(
      "00001.jsonl.gz was changed after it was written.",
    );
    await expect(dropMonth("2026-04", { actor: ADMIN, storage })).rejects.toThrow("is incomplete");
    rmSync(file);
    await expect(dropMonth("2026-04", { actor: ADMIN, storage })).rejects.toThrow("00001.jsonl.gz is missing");
    expect(await verify()).toMatchObject({ intact: true, dropped: [] });
  });

  it("without its manifest, or with another one, does not let its month be dropped", async () => {
    const { id } = await archiveMonth("2026-04", MAY);
    const file = join(folder, "2026-04", id, "manifest.json");
    const own = readFileSync(file, "utf8");
    for (const other of [own.replace(`"rows": 12`, `"rows": 13`), "{}", "no JSON"]) {
      writeFileSync(file, other);
      await expect(dropMonth("2026-04", { actor: ADMIN, storage })).rejects.toThrow("manifest.json was changed");
    }
    rmSync(file);
    await expect(dropMonth("2026-04", { actor: ADMIN, storage })).rejects.toThrow("manifest.json is missing");
    expect(await verify()).toMatchObject({ intact: true, dropped: [] });
  });

  it("names a body that was added to a call without one", async () => {
    const [, failed] = calls["2026-04"] ?? [];
    const result = `"callId" = '${failed}' and part = 'result'`;
    await database.query(`insert into execution_body ("callId", "callAt", part, text, digest)
      select "callId", at, 'result', '"forged"', 'x' from execution where "callId" = '${failed}'`);
    const { id } = await archiveMonth("2026-04", MAY);
    const { problems } = await readArchive(archiveFolder(join(folder, "2026-04", id)), keys);
    expect(problems).toEqual([`The archive has result ${failed}, but no row commits to it.`]);
    await database.query(`delete from execution_body where ${result}`);
  });
});

describe("a storage at an address", () => {
  it("is written with PUT and read back: an object that differs makes no archive", async () => {
    const kept = new Map<string, Uint8Array>();
    let isForgetful = false;
    const server = await serve(async (request) => {
      if (request.headers.get("authorization") !== "Bearer x") return new Response(null, { status: 401 });
      const { pathname } = new URL(request.url);
      if (request.method === "PUT") {
        const bytes = new Uint8Array(await request.arrayBuffer());
        kept.set(pathname, isForgetful ? bytes.subarray(1) : bytes);
        return new Response(null, { status: 201 });
      }
      const bytes = kept.get(pathname);
      return bytes === undefined ? new Response(null, { status: 404 }) : new Response(Buffer.from(bytes));
    });
    const send = outboundClient({ allow: () => [server.host] });
    const bucket = archiveAddress(`${server.origin}/log/`, "Bearer x", send);
    const { id } = await archiveMonth("2026-04", { ...MAY, storage: bucket });
    expect([...kept.keys()].toSorted()).toEqual([
      `/log/2026-04/${id}/00001.jsonl.gz`,
      `/log/2026-04/${id}/manifest.json`,
    ]);
    expect(await bucket.get("2026-04/none")).toBeNull();
    const own = archiveAddress(`${server.origin}/log/2026-04/${id}`, "Bearer x", send);
    expect((await readArchive(own, keys)).problems).toEqual([]);
    isForgetful = true;
    const [{ n: before }] = (await database.query<{ n: number }>("select count(*)::int as n from log_archive")) as [
      { n: number },
    ];
    await expect(archiveMonth("2026-04", { ...MAY, storage: bucket })).rejects.toThrow("was changed");
    expect(await database.query("select count(*)::int as n from log_archive")).toEqual([{ n: before }]);
    await expect(
      archiveMonth("2026-04", { ...MAY, storage: archiveAddress(server.origin, undefined, send) }),
    ).rejects.toThrow("ARCHIVE_URL answered PUT with 401");
    await server.close();
  });
});

describe("a month", () => {
  it("without an archive is not dropped", async () => {
    await expect(dropMonth("2026-05", { actor: ADMIN, storage })).rejects.toThrow("not archived");
  });

  it("is kept for 400 days by default", async () => {
    expect(await planRetention(new Date("2027-06-30T23:59:59Z"))).toEqual([]);
    expect(await planRetention(new Date("2027-07-01T00:00:00Z"))).toEqual([{ month: "2026-04", step: "drop" }]);
    await keep({ months: null });
    expect(await planRetention(new Date("2037-07-01T00:00:00Z"))).toEqual([]);
  });

  it("is due after as many whole months as are kept, its archive first", async () => {
    await keep({ months: 3 });
    expect(await planRetention(new Date("2026-08-31T23:59:59Z"))).toEqual([{ month: "2026-04", step: "drop" }]);
    expect(await planRetention(new Date("2026-09-01T00:00:00Z"))).toEqual([
      { month: "2026-04", step: "drop" },
      { month: "2026-05", step: "archive" },
      { month: "2026-05", step: "drop" },
    ]);
    await keep({});
  });

  it("that is dropped leaves an intact log that names its archive", async () => {
    const before = await verify();
    const manifest = await archiveMonth("2026-04", MAY);
    await dropMonth("2026-04", { actor: ADMIN, storage });
    const report = await verify();
    expect(report).toMatchObject({
      intact: true,
      rows: before.rows - 12,
      seals: before.seals,
      dropped: [{ month: "2026-04", archive: manifest.id, rows: 12, by: "test", at: expect.any(String) }],
    });
    expect(await database.query(`select 1 from execution where at < '2026-05-01'`)).toEqual([]);
    const { json } = await ask(changes, "GET", "/api/admin/changes?resource=dropped-months");
    expect(json.items).toMatchObject([
      { rowId: "2026-04", action: "create", after: { archive: manifest.id, rows: 12 } },
    ]);
    await expect(dropMonth("2026-04", { actor: ADMIN, storage })).rejects.toThrow("dropped already");
    const { months } = await readLogMonths();
    expect(months.find(({ month }) => month === "2026-04")).toMatchObject({ rows: 12, dropped: { by: "test" } });
  });

  it("has a proof of each call in its archive", async () => {
    const [callId = ""] = calls["2026-04"] ?? [];
    expect(await proveExecution(callId)).toBeNull();
    const [drop] = (await verify()).dropped;
    const own = archiveFolder(join(folder, "2026-04", drop?.archive ?? ""));
    const { proof } = await readArchive(own, keys, callId);
    expect(proof?.records).toHaveLength(2);
    expect(problemsOfProof(proof!, keys)).toEqual([]);
    expect((await readArchive(own, keys, "call_other")).proof).toBeNull();
  });
});

describe("an unauthorised drop", () => {
  it("of another month is found, archived or not", async () => {
    await archiveMonth("2026-05", MAY);
    const gone = await world.copied(["execution", "execution_outcome", "execution_body"], async () => {
      await database.query(`delete from execution where at < '2026-06-01';
        delete from execution_outcome where "callAt" < '2026-06-01'; delete from execution_body where "callAt" < '2026-06-01'`);
      return verify();
    });
    expect(found(gone)).toHaveLength(12);
    expect(new Set(gone.findings.map(({ kind }) => kind))).toEqual(new Set(["row_deleted"]));
    expect(new Set(gone.findings.map(({ callId }) => callId))).toEqual(new Set(calls["2026-05"]));
  });

  it("of another row under the same seal is found at the row", async () => {
    const [victim = ""] = calls["2026-05"] ?? [];
    const gone = await world.copied(["execution"], async () => {
      await database.query(`delete from execution where "callId" = '${victim}'`);
      return verify();
    });
    expect(found(gone)).toContain(`row_deleted ${victim}`);
  });

  it.each([
    [`update log_drop set at = at + interval '1 day'`],
    [`update log_drop set archive = 'arc_other'`],
    [`update log_drop set signature = reverse(signature)`],
    [`update log_archive set seals = jsonb_set(seals, '{whole}', '[[1, 99999]]') where month = '2026-04'`],
    [`update log_archive set rows = rows + 1 where month = '2026-04'`],
    [`delete from log_archive`],
  ])("that changes the record by %s excuses nothing", async (sql) => {
    const report = await tampered(sql);
    expect(found(report)).toContain("drop_forged");
    expect(report.dropped).toEqual([]);
    expect(report.found).toBe(1 + 12);
  });

  it("without a record is found row for row", async () => {
    expect((await tampered("delete from log_drop")).found).toBe(12);
  });

  it("through the app's database function needs an archive of the same rows, and is found", async () => {
    const app = new Postgres({ connectionString: database.url });
    await app.connect();
    await enterAppRole(app);
    const drop = (month: string, archive: string) => app.query(`select drop_log_month('${month}', '${archive}')`);
    const present = new Date().toISOString().slice(0, 7);
    await expect(drop("2026-05", "arc_none")).rejects.toThrow("no archive");
    await expect(drop(present, "arc_none")).rejects.toThrow("is not over");
    const add = (id: string, rows: number) =>
      app.query(
        `insert into log_archive values ('${id}', '2026-05', now(), 'x', 'x', ${rows}, 0, '[]', '{"whole": [], "mixed": []}', 'k', 's')`,
      );
    await add("arc_short", 3);
    await expect(drop("2026-05", "arc_short")).rejects.toThrow("rows that its archive does not have");
    for (const sql of ["update log_drop set rows = 1", "delete from log_archive", "truncate log_erasure"])
      await expect(app.query(sql)).rejects.toMatchObject({ code: "42501" });
    await add("arc_forged", 12);
    await app.query("begin");
    await drop("2026-05", "arc_forged");
    await app.query("rollback");
    await app.end();
    await database.query(`set session_replication_role = replica; delete from log_archive where id in ('arc_short', 'arc_forged');
      reset session_replication_role`);
  });
});

describe("the keeper", () => {
  const at = (time: string) => () => new Date(time);

  it("makes a requested archive, and shows the progress", async () => {
    await requestArchive("2026-05", ADMIN, new Date());
    await expect(requestArchive("2026-05", ADMIN, new Date())).rejects.toThrow("being archived");
    await new RetentionKeeper(null).runCheck(() => new Date());
    expect((await readArchivings()).get("2026-05")).toMatchObject({ status: "asked" });
    await new RetentionKeeper(storage).runCheck(() => new Date());
    expect((await readArchivings()).get("2026-05")).toEqual({ status: "done", done: 12, total: 12, error: null });
  });

  it("a process whose job another one has claimed since neither reports into it nor ends it", async () => {
    const start = new Date("2026-06-02T00:00:00Z");
    await requestArchive("2026-05", ADMIN, start);
    const silent = await claimArchiving(start);
    const later = new Date(start.getTime() + 121_000);
    const other = await claimArchiving(later);
    await expect(noteArchiving(silent!, 12, 12, later)).rejects.toThrow("Another process archives 2026-05.");
    await endArchiving(silent!, null, later);
    expect((await readArchivings()).get("2026-05")).toMatchObject({ status: "running", done: 0 });
    await endArchiving(await noteArchiving(other!, 12, 12, later), null, later);
    expect((await readArchivings()).get("2026-05")).toMatchObject({ status: "done", done: 12 });
  });

  it("shows on the page why an archive failed", async () => {
    const present = new Date().toISOString().slice(0, 7);
    await requestArchive(present, ADMIN, new Date());
    await new RetentionKeeper(storage).runCheck(() => new Date());
    expect((await readArchivings()).get(present)).toMatchObject({
      status: "failed",
      error: `The month ${present} is not over.`,
    });
  });

  it("erases exactly the bodies that are older than the settings allow", async () => {
    const bodies = async () =>
      (await database.query<{ n: number }>(`select count(*)::int as n from execution_body`))[0]?.n;
    const before = await bodies();
    await new RetentionKeeper(storage).runCheck(() => new Date());
    expect(await bodies()).toBe(before);
    await keep({ bodyDays: 30 });
    await new RetentionKeeper(storage).runCheck(() => new Date());
    expect(await bodies()).toBe(4);
    const { json } = await ask(changes, "GET", "/api/admin/changes?resource=erasures");
    expect(json.items).toMatchObject([{ actor: { name: "retention" }, after: { calls: 6, bodies: 8, subject: null } }]);
    expect(await verify()).toMatchObject({ intact: true, erased: 8 });
  });

  it("archives and drops old months by the settings, and keeps the rest", async () => {
    await keep({ months: 1 });
    const keeper = new RetentionKeeper(storage);
    await keeper.runCheck(at("2026-11-30T00:00:00Z"));
    await keeper.runCheck(at("2026-11-30T00:00:02Z"));
    const report = await verify();
    expect(report).toMatchObject({ intact: true, rows: 6 });
    expect(report.dropped.map(({ month, by }) => [month, by])).toEqual([
      ["2026-04", "test"],
      ["2026-05", "retention"],
    ]);
  });
});

describe("a call that ended in a later seal than it began in", () => {
  it("has its result compared, too", async () => {
    const [id] = await world.callIn("2026-02");
    const moved = (sql: string) =>
      database.query(`set session_replication_role = replica; ${sql}; reset session_replication_role`);
    await moved(`create table later as select * from execution_outcome where "callId" = '${id}';
      delete from execution_outcome where "callId" = '${id}'`);
    await world.seal();
    await moved(`insert into execution_outcome select * from later;
      update execution_outcome set xid = pg_current_xact_id() where "callId" = '${id}'`);
    await world.seal();
    const read = async () => {
      const manifest = await archiveMonth("2026-02", MAY);
      return (await readArchive(archiveFolder(join(folder, "2026-02", manifest.id)), keys)).problems;
    };
    expect(await read()).toEqual([]);
    await moved(`update execution_body set text = '"forged"' where "callId" = '${id}' and part = 'result'`);
    expect(await read()).toEqual([`${id}: its result differ from what was logged.`]);
  });
});
