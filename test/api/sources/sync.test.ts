import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as health from "@/app/api/admin/source-health/route";
import * as syncing from "@/app/api/admin/sources/[name]/sync/route";
import { sourceInput } from "@/lib/resources/source";
import { sourceHealthList, type SourceHealthRow } from "@/lib/contracts/sources/source-health";
import { applySync } from "@/lib/sources/apply-sync";
import { startImport } from "@/lib/sources/import/import";
import { startDueSyncs } from "@/lib/sources/sync";
import { stores } from "@/lib/store/config/index";
import { claimImport, getImportJob } from "@/lib/store/sources/import-jobs";
import { claimDueSync, claimSync, endSync, extendClaim } from "@/lib/store/sources/source-syncs";
import { ask } from "@/test/support/admin";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { startTrainTravel, type TrainTravel } from "@/test/support/servers/train-travel";

const database = useDatabase();
const admin = { kind: "system", name: "test", role: "admin" } as const;
const MINUTE = 60_000;

let trains: TrainTravel;
beforeEach(async () => {
  trains = await startTrainTravel();
  allowOutbound(trains.host);
});
afterEach(async () => {
  await trains.close();
  await database.query("truncate source, source_sync, tool, drift, import_job, upstream_definition");
});

const source = (name: string, fields: object = {}) =>
  stores.sources.create(admin, sourceInput.parse({ name, kind: "openapi", url: trains.documentUrl, ...fields }));
const sync = (name: string) =>
  ask(syncing.POST, "POST", `/api/admin/sources/${name}/sync`, { params: { name }, role: "editor" });

async function healthOf(name: string): Promise<SourceHealthRow | undefined> {
  const { json } = await ask(health.GET, "GET", "/api/admin/source-health", { role: "auditor" });
  return sourceHealthList.parse(json).items.find((item) => item.source === name);
}

/** Waits until nothing of a source is being synchronised. */
const rested = (name: string) => vi.waitUntil(async () => !(await healthOf(name))?.busy, { timeout: 15_000 });

describe("a source's health", () => {
  it("is unknown, then healthy, degraded after one failure, unhealthy after three, healthy after a success", async () => {
    await source("trains");
    expect(await healthOf("trains")).toMatchObject({ health: "unknown", busy: false, syncedAt: null, nextAt: null });
    const seen: unknown[] = [];
    const { url: _url, revision, createdAt, updatedAt, ...rest } = await stores.sources.get("trains");
    const reading = async (url: string) => {
      await stores.sources.replace(admin, "trains", { ...rest, url }, "*");
      expect((await sync("trains")).status).toBe(202);
      await rested("trains");
      seen.push((await healthOf("trains"))?.health);
    };
    await reading(trains.documentUrl);
    for (let failed = 0; failed < 3; failed += 1) await reading(`${trains.origin}/nothing`);
    expect(await healthOf("trains")).toMatchObject({ failures: 3, error: expect.stringContaining("404") });
    await reading(trains.documentUrl);
    expect(seen).toEqual(["healthy", "degraded", "degraded", "unhealthy", "healthy"]);
    expect(await healthOf("trains")).toMatchObject({ failures: 0, error: null, failedAt: null });
  });

  it("is deleted with its source", async () => {
    await source("trains");
    await endSync((await claimSync("trains", new Date()))!, "x", new Date());
    await claimSync("trains", new Date());
    await stores.sources.remove(admin, "trains", "*");
    expect(await database.query("select 1 from source_sync")).toEqual([]);
  });
});

describe("a sync by hand", () => {
  it("is refused while another one runs, for a source without an address, and for an auditor", async () => {
    await source("trains");
    await source("blank", { url: null });
    await source("code", { kind: "http", url: null });
    await claimSync("trains", new Date());
    for (const name of ["trains", "blank", "code"])
      expect(await sync(name)).toMatchObject({ status: 409, json: { code: "conflict" } });
    expect((await sync("nowhere")).status).toBe(404);
    const params = { name: "trains" };
    const auditor = await ask(syncing.POST, "POST", "/api/admin/sources/trains/sync", { params, role: "auditor" });
    expect(auditor.status).toBe(403);
  });
});

it("an import says that it ended only when its source can be synchronised again", async () => {
  await database.query(`
    create table ended_busy (status text);
    create function note_busy() returns trigger language plpgsql as $$ begin
      insert into ended_busy select NEW.status from source_sync where source = NEW.source and "busyUntil" is not null;
      return null;
    end $$;
    create constraint trigger note_busy after update on import_job deferrable initially deferred for each row
      when (NEW.status in ('applied', 'failed')) execute function note_busy()`);
  await source("trains");
  await source("lost", { url: `${trains.origin}/nothing` });
  for (const name of ["trains", "lost"]) {
    expect((await sync(name)).status).toBe(202);
    const ended = "select 1 from import_job where source = $1 and status in ('applied', 'failed')";
    await vi.waitUntil(async () => (await database.query(ended, [name])).length > 0, { timeout: 15_000 });
  }
  expect(await database.query("select status from ended_busy")).toEqual([]);
  await database.query("drop table ended_busy; drop function note_busy cascade");
});

describe("a scheduled sync", () => {
  it("begins once a period, however many processes try, and never twice at a time", async () => {
    await source("trains", { syncMinutes: 10 });
    const now = new Date();
    const later = (minutes: number) => new Date(now.getTime() + minutes * MINUTE);
    const asked = await Promise.all(Array.from({ length: 8 }, () => claimDueSync(now)));
    expect(asked.filter((claim) => claim !== null)).toEqual([{ source: "trains", startedAt: now }]);
    expect(await claimSync("trains", now)).toBeNull();
    await endSync({ source: "trains", startedAt: now }, null, now);
    expect(await claimDueSync(later(9))).toBeNull();
    const again = await Promise.all(Array.from({ length: 8 }, () => claimDueSync(later(10))));
    expect(again.filter((claim) => claim !== null)).toEqual([{ source: "trains", startedAt: later(10) }]);
    // At 20 the next sync is due, and the claim of the second one, which never ended, has expired.
    expect(await claimDueSync(later(14))).toBeNull();
    expect(await claimDueSync(later(20))).toMatchObject({ source: "trains" });
  });

  it("keeps its claim while its process lives, and releases no claim but its own", async () => {
    await source("trains", { syncMinutes: 10 });
    const now = Date.now();
    const at = (minutes: number) => new Date(now + minutes * MINUTE);
    const first = (await claimSync("trains", at(0)))!;
    await extendClaim(first, at(4));
    expect(await claimSync("trains", at(8))).toBeNull();
    const second = (await claimSync("trains", at(10)))!;
    // The first one lives after all.
    await extendClaim(first, at(14));
    await endSync(first, null, at(14));
    expect(await claimSync("trains", at(14))).toBeNull();
    await endSync(second, null, at(14));
    await extendClaim(second, at(14));
    expect(await claimSync("trains", at(14))).not.toBeNull();
  });

  it("saves nothing when another sync has replaced its claim", async () => {
    await source("trains", { syncMinutes: 10, joinNewOperations: "automatic" });
    const now = Date.now();
    const late = (await claimSync("trains", new Date(now - 20 * MINUTE)))!;
    expect(await claimSync("trains", new Date(now))).not.toBeNull();
    const id = await startImport(admin, { source: "trains" });
    await vi.waitUntil(async () => (await getImportJob(id)).status !== "running", { timeout: 15_000 });
    await expect(applySync(admin, id, late)).rejects.toMatchObject({ code: "conflict" });
    expect(await database.query("select id from tool")).toEqual([]);
  });

  it("keeps no copy of the tools of a sync that has ended, which cannot be applied again", async () => {
    await source("trains", { syncMinutes: 10, joinNewOperations: "automatic" });
    const ended = async () => {
      await rested("trains");
      const [job] = await database.query<{ id: string; unchanged: unknown[]; total: number }>(
        `select id, plan->'unchanged' as unchanged, total from import_job order by "createdAt" desc limit 1`,
      );
      return job!;
    };
    for (let minutes = 0; minutes <= 10; minutes += 10) {
      expect(await startDueSyncs(new Date(Date.now() + minutes * MINUTE))).toBe(1);
      const { id, unchanged, total } = await ended();
      expect([total, unchanged]).toEqual([7, []]);
      expect(await database.query("select 1 from import_tool where import = $1", [id])).toEqual([]);
      await expect(claimImport(id)).rejects.toThrow(/no tools that could be applied again: start a new one/);
    }
  });

  it("skips sources that are manual, disabled or of another kind", async () => {
    await source("hand");
    await source("off", { syncMinutes: 5, enabled: false });
    await source("blank", { syncMinutes: 5, url: null });
    await source("code", { syncMinutes: 5, kind: "http" });
    expect(await claimDueSync(new Date())).toBeNull();
  });

  it("reads the source and stores the result in its health", async () => {
    await source("trains", { syncMinutes: 10, joinNewOperations: "automatic" });
    await source("lost", { syncMinutes: 10, url: "http://169.254.169.254/openapi.json" });
    expect(await startDueSyncs(new Date())).toBe(2);
    await rested("trains");
    await rested("lost");
    expect(await healthOf("trains")).toMatchObject({ health: "healthy", nextAt: expect.any(String) });
    expect((await stores.tools.list({ limit: 50 })).total).toBe(7);
    expect(await healthOf("lost")).toMatchObject({ health: "degraded", error: expect.stringMatching(/not a public/) });
    expect(await startDueSyncs(new Date())).toBe(0);
  });
});
