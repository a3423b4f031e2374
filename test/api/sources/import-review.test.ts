import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { GET as READ } from "@/app/api/admin/imports/[id]/route";
import { POST as APPLY } from "@/app/api/admin/imports/[id]/apply/route";
import { POST as START } from "@/app/api/admin/imports/route";
import { POST as APPROVE } from "@/app/api/admin/requests/[id]/approve/route";
import { POST as WITHDRAW } from "@/app/api/admin/requests/[id]/withdraw/route";
import type { HeldChange } from "@/lib/contracts/changes/request";
import { importJob, type ImportJob } from "@/lib/contracts/sources/import-job";
import { startApplying } from "@/lib/sources/import/apply-import";
import { stores } from "@/lib/store/config/index";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { signIn } from "@/test/support/person";
import { setReview } from "@/test/support/set-review";

const database = useDatabase();

const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Trains", version: "1" },
  servers: [{ url: "https://trains.example" }],
  paths: { "/trips": { get: { operationId: "get-trips", summary: "Lists trips.", responses: {} } } },
};

beforeAll(async () => {
  await signIn("admin");
  await signIn("editor");
});
beforeEach(async () => {
  await setReview("off");
  await database.query("delete from request");
  await setReview("all");
});

async function read(id: string): Promise<ImportJob> {
  return importJob.parse((await ask(READ, "GET", `/api/admin/imports/${id}`, { params: { id } })).json);
}

/** Starts an import of the document and waits until it is read. */
async function planned(source: string): Promise<ImportJob> {
  const body = { source, document: JSON.stringify(DOCUMENT) };
  const { json } = await ask<{ id: string }>(START, "POST", "/api/admin/imports", { body });
  const finished = async () => {
    const job = await read(json.id);
    return job.status === "running" ? null : job;
  };
  return (await vi.waitUntil(finished, { timeout: 15_000 })) as ImportJob;
}

const apply = (id: string, headers: Record<string, string> = {}) =>
  ask<HeldChange>(APPLY, "POST", `/api/admin/imports/${id}/apply`, {
    params: { id },
    body: { operations: "all" },
    role: "editor",
    headers,
  });

it("an import that waits names who requested it, is not applied twice, and then names who approved it", async () => {
  const { id } = await planned("trains");
  const held = await apply(id);
  expect(held.status).toBe(202);
  const { id: requestId, hash } = held.json.request;
  const waiting = { id: requestId, status: "open", asker: "editor@example.com", decidedBy: null };
  expect(await read(id)).toMatchObject({ status: "planned", error: null, applied: null, request: waiting });
  expect((await apply(id)).status).toBe(409);

  const params = { id: requestId };
  const body = { hash, reason: "" };
  const approved = await ask(APPROVE, "POST", `/api/admin/requests/${requestId}/approve`, { params, body });
  expect(approved.status).toBe(200);
  expect(await stores.tools.get("trains:get-trips")).not.toBeNull();
  expect(await read(id)).toMatchObject({
    status: "applied",
    applied: { added: 1, changed: 0, removed: 0 },
    request: { id: requestId, status: "applied", asker: "editor@example.com", decidedBy: "admin@example.com" },
  });
});

it("an import whose request cannot be noted opens none, so that a second application opens the only one", async () => {
  const { id } = await planned("ferries");
  await database.query(`
    create function crash() returns trigger language plpgsql as $$ begin raise exception 'crash'; end $$;
    create trigger crash before update of request on import_job for each row
      when (new.request is not null) execute function crash()`);
  const failed = await apply(id);
  await database.query("drop function crash cascade");
  expect([failed.status, await database.query("select id from request")]).toEqual([500, []]);
  const { request } = (await apply(id)).json;
  expect(await database.query("select id from request")).toEqual([{ id: request.id }]);
});

it("an import stays planned while its reason is entered, and after its request is withdrawn", async () => {
  const { id } = await planned("buses");
  expect((await apply(id, { prefer: "review-reason" })).status).toBe(428);
  expect(await read(id)).toMatchObject({ status: "planned", error: null, request: null });
  const { request } = (await apply(id, { "review-reason": "timetable" })).json;
  expect(request.reason).toBe("timetable");
  const params = { id: request.id };
  await ask(WITHDRAW, "POST", `/api/admin/requests/${request.id}/withdraw`, { params, body: {}, role: "editor" });
  expect((await apply(id)).status).toBe(202);
});

it("an import whose page was closed becomes one request without a reason, and is applied once", async () => {
  const { id } = await planned("trams");
  const actor = { kind: "user", name: "editor@example.com", role: "editor", wantsReasonPrompt: () => true } as const;
  const claims = await claimsOf(id, () => startApplying(actor, id, { operations: "all", groups: [] }, 0));
  expect(claims).toBe(1);
  const { status, error, request } = await read(id);
  expect({ status, error, request: request?.status }).toEqual({ status: "planned", error: null, request: "open" });
  expect(await database.query("select id from request")).toEqual([{ id: request?.id }]);
});

/** How often an import was claimed until its application became a request. */
async function claimsOf(id: string, start: () => Promise<unknown>): Promise<number> {
  await database.query(`
    create table claim (import uuid);
    create function count_claim() returns trigger language plpgsql as $$ begin insert into claim values (new.id); return new; end $$;
    create trigger count_claim after update on import_job for each row
      when (new.status = 'applying' and old.status <> 'applying') execute function count_claim()`);
  try {
    expect(await start()).toBeNull();
    await vi.waitUntil(async () => (await read(id)).request !== null, { timeout: 15_000 });
    return (await database.query("select from claim")).length;
  } finally {
    await database.query("drop function count_claim cascade; drop table claim");
  }
}
