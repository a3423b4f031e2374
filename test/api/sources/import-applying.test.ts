import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import * as item from "@/app/api/admin/imports/[id]/route";
import * as applying from "@/app/api/admin/imports/[id]/apply/route";
import { importJob } from "@/lib/contracts/sources/import-job";
import { startApplying } from "@/lib/sources/import/apply-import";
import { startImport } from "@/lib/sources/import/import";
import { stores } from "@/lib/store/config/index";
import { db } from "@/lib/store/db/database";
import {
  claimImport,
  createImportJob,
  getImportedTools,
  getImportJob,
  markImportApplied,
  releaseImport,
} from "@/lib/store/sources/import-jobs";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const ADMIN = { kind: "system", name: "test", role: "admin" } as const;

afterEach(() =>
  database.query(
    "truncate source, source_sync, tool, drift, change, revision, import_job, import_tool, upstream_definition",
  ),
);

/** A planned import with so many operations. */
async function planned(operations: number, source = "big"): Promise<string> {
  const paths = Object.fromEntries(Array.from({ length: operations }, (_, at) => [`/p${at}`, { get: {} }]));
  const servers = [{ url: "https://api.example" }];
  const id = await startImport(ADMIN, { source, document: { openapi: "3.1.0", servers, paths } });
  await vi.waitUntil(async () => (await getImportJob(id)).status !== "running", { timeout: 30_000 });
  expect(await getImportJob(id)).toMatchObject({ status: "planned", total: operations, error: null });
  return id;
}

const read = async (id: string) =>
  importJob.parse((await ask(item.GET, "GET", `/api/admin/imports/${id}`, { params: { id } })).json);
const apply = (id: string) =>
  ask(applying.POST, "POST", `/api/admin/imports/${id}/apply`, { body: { operations: "all" }, params: { id } });

describe("an import that is applied", () => {
  it("continues when its request does not wait, and reports its result", async () => {
    const id = await planned(300);
    expect(await startApplying(ADMIN, id, { operations: "all", groups: [] }, 0)).toBeNull();
    expect(["applying", "applied"]).toContain((await getImportJob(id)).status);
    await vi.waitUntil(async () => (await getImportJob(id)).status !== "applying", { timeout: 30_000 });
    const { status, applied, error, done } = await read(id);
    expect({ status, error, done }).toEqual({ status: "applied", error: null, done: 300 });
    expect(applied).toMatchObject({ added: 300, changed: 0, removed: 0 });
    expect((await stores.tools.list({ limit: 1 })).total).toBe(300);
  });

  it("answers 202 with the import after five seconds, continues, and shows its result", async () => {
    const id = await planned(3);
    // The save waits for the table of the tools.
    await database.query("begin");
    await database.query("lock table tool in exclusive mode");
    const answer = await apply(id).finally(() => database.query("commit"));
    expect(answer).toMatchObject({ status: 202, json: { id, status: "applying" } });
    await vi.waitUntil(async () => (await getImportJob(id)).status !== "applying", { timeout: 30_000 });
    expect(await read(id)).toMatchObject({ status: "applied", error: null, applied: { added: 3 } });
  }, 60_000);

  it("is applied by one request at a time", async () => {
    const id = await planned(300);
    const first = startApplying(ADMIN, id, { operations: "all", groups: [] });
    await vi.waitUntil(async () => (await getImportJob(id)).status === "applying");
    const second = await apply(id);
    expect(second).toMatchObject({ status: 409, json: { code: "conflict" } });
    expect(second.json.detail).toMatch(/being applied/);
    expect(await first).toMatchObject({ added: 300 });
  });

  it("reports why it changed nothing, and can be repeated", async () => {
    const id = await planned(2);
    await expect(startApplying(ADMIN, id, { operations: ["big:nothing"], groups: [] })).rejects.toThrow(/not valid/);
    const after = await getImportJob(id);
    expect(after).toMatchObject({ status: "planned", applied: null });
    expect(after.error).toMatch(/`big:nothing` is not part of this import/);
    expect(await apply(id)).toMatchObject({ status: 200, json: { added: 2 } });
    expect(await read(id)).toMatchObject({ status: "applied", error: null });
  });

  it("reports its result when it was committed but the answer to the commit was lost", async () => {
    const id = await planned(2);
    const before = await claimImport(id);
    const did = { revision: 7, added: 2, changed: 0, removed: 0 };
    await db().$transaction((tx) => markImportApplied(tx, id, did));
    expect(await releaseImport(id, before, "The store did not answer in time.")).toEqual(did);
    expect(await getImportJob(id)).toMatchObject({ status: "applied", error: null, applied: did });
  });

  it("whose process died during the save reports that nothing changed, and can be repeated", async () => {
    const id = await planned(2);
    await database.query(`update import_job set status = 'applying', "beatAt" = now() - interval '2 minutes'`);
    const lost = await read(id);
    expect(lost.status).toBe("planned");
    expect(lost.error).toMatch(/interrupted before anything was changed/);
    expect(await apply(id)).toMatchObject({ status: 200, json: { added: 2 } });
  });
});

describe("an import that is read for long", () => {
  it("is not interrupted while its process is alive, whatever else is imported", async () => {
    const id = randomUUID();
    const begun = new Date(Date.now() - 3_600_000);
    await createImportJob({ id, source: "slow", url: null, auth: null, createdBy: "somebody" }, begun);
    await planned(2, "other");
    expect(await getImportJob(id)).toMatchObject({ status: "running", error: null });
    await database.query(`update import_job set "beatAt" = now() - interval '2 minutes' where id = $1`, [id]);
    expect(await getImportJob(id)).toMatchObject({ status: "failed" });
  });

  it("keeps its tools in the document's order, and as an older app wrote them", async () => {
    const id = await planned(120);
    const tools = await getImportedTools(id);
    expect(tools.map(({ path }) => path)).toEqual(Array.from({ length: 120 }, (_, at) => `/p${at}`));
    await database.query(
      `update import_job set tools = (select jsonb_agg(tool order by place) from import_tool where import = id)`,
    );
    await database.query("truncate import_tool");
    expect(await getImportedTools(id)).toEqual(tools);
  });
});
