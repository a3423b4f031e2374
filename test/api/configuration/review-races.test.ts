import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { PUT as PUT_CONFIG } from "@/app/api/admin/config/route";
import { PUT } from "@/app/api/admin/[resource]/[id]/route";
import { POST as CREATE } from "@/app/api/admin/[resource]/route";
import { GET as LIST } from "@/app/api/admin/requests/route";
import { POST as APPROVE } from "@/app/api/admin/requests/[id]/approve/route";
import { POST as REFUSE } from "@/app/api/admin/requests/[id]/refuse/route";
import { PUT as SET_SECRET } from "@/app/api/admin/secrets/[name]/route";
import type { HeldChange } from "@/lib/contracts/changes/request";
import { findUserByEmail } from "@/lib/store/config/users";
import { approveChange } from "@/lib/store/requests/answer-change";
import { revertUnconfirmed } from "@/lib/store/requests/end-bypass";
import { expireRequests } from "@/lib/store/requests/expire-requests";
import { write, type Actor } from "@/lib/store/save/write";
import { ask, type Got } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { setReview } from "@/test/support/set-review";
import { addPerson, signIn, cookieOf } from "@/test/support/person";

const database = useDatabase();
const PROGRAM: Actor = { kind: "system", name: "test", role: "admin" };
const HOUR_MS = 3_600_000;
const SUPPORT = {
  name: "support",
  matchers: [{ claim: "team", operator: "equals", value: "support" }],
  groups: ["crm"],
};
const DOCUMENT = {
  apiVersion: "quartermaster/v1",
  sources: [{ name: "crm", kind: "http" }],
  tools: [{ id: "crm:read", description: "Reads.", inputSchema: { type: "object" }, groups: [] }],
  groups: [{ name: "crm", selectors: [{ source: "crm" }] }],
  policies: [SUPPORT],
};

type Waiting = HeldChange["request"];

function waiting(answer: Got): Waiting {
  expect([answer.status, answer.text]).toEqual([202, expect.any(String)]);
  return (answer.json as unknown as HeldChange).request;
}

/** A widening by the editor, which waits. */
async function widening(): Promise<Waiting> {
  const [row] = await database.query<{ revision: number }>("select revision from policy where name = 'support'");
  return waiting(
    await ask(PUT, "PUT", "/api/admin/policies/support", {
      params: { resource: "policies", id: "support" },
      body: { ...SUPPORT, matchers: [], everyone: true },
      role: "editor",
      headers: { "if-match": `"${row?.revision}"` },
    }),
  );
}

const approve = ({ id, hash }: Waiting, headers: Record<string, string> = {}) =>
  ask(APPROVE, "POST", `/api/admin/requests/${id}/approve`, { params: { id }, body: { hash }, headers });
const statusOf = async ({ id }: Waiting) =>
  (await database.query<{ status: string }>(`select status from request where id = '${id}'`))[0]?.status;
const isWide = async () =>
  (await database.query<{ everyone: boolean }>("select everyone from policy where name = 'support'"))[0]?.everyone;
const revisions = async () =>
  Number((await database.query<{ count: string }>("select count(*) from revision"))[0]?.count);

async function adminCookie(name: string): Promise<string> {
  const email = `${name}@example.com`;
  const person = (await findUserByEmail(email)) ?? (await addPerson({ email, name, role: "admin" }));
  return cookieOf(person);
}

beforeEach(async () => {
  await setReview("off");
  await signIn("admin");
  await signIn("editor");
  await database.query("update person set enabled = true");
  const sent = await ask(PUT_CONFIG, "PUT", "/api/admin/config", { body: DOCUMENT });
  if (sent.status !== 200) throw new Error(sent.text);
  await database.query("delete from request");
  await setReview("widening");
});
afterEach(() => vi.useRealTimers());

describe("a change request", () => {
  it("that two people approve at once is applied once", async () => {
    const request = await widening();
    const before = await revisions();
    const answers = await Promise.all([approve(request), approve(request, { cookie: await adminCookie("second") })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect([await isWide(), await revisions(), await statusOf(request)]).toEqual([true, before + 1, "applied"]);
  });

  it("that one person approves and another refuses at once has one answer, and is saved only if it was approved", async () => {
    const request = await widening();
    const [approved, refused] = await Promise.all([
      approve(request),
      ask(REFUSE, "POST", `/api/admin/requests/${request.id}/refuse`, {
        params: { id: request.id },
        body: {},
        headers: { cookie: await adminCookie("second") },
      }),
    ]);
    expect([approved.status, refused.status].toSorted()).toEqual([200, 409]);
    expect(await isWide()).toBe(approved.status === 200);
    expect(await statusOf(request)).toBe(approved.status === 200 ? "applied" : "refused");
  });

  it("is not applied by an approver who was demoted after the request began", async () => {
    const request = await widening();
    const cookie = await adminCookie("demoted");
    expect(cookie).not.toBe("");
    const { id: userId } = (await findUserByEmail("demoted@example.com"))!;
    await database.query("update person set role = 'auditor' where name = 'demoted'");
    const actor = { kind: "user", name: "demoted@example.com", role: "admin" } as const;
    await expect(
      approveChange(request.id, { hash: request.hash, reason: "" }, { actor, userId, requestId: "r" }),
    ).rejects.toMatchObject({ code: "forbidden" });
    expect([await isWide(), await statusOf(request)]).toEqual([false, "open"]);
  });

  it("of an asker who was deleted can only be refused", async () => {
    const request = await widening();
    await database.query("delete from person where name = 'the-editor'");
    expect((await approve(request)).json).toMatchObject({ code: "conflict" });
    expect([await isWide(), await statusOf(request)]).toEqual([false, "open"]);
    const refused = await ask(REFUSE, "POST", `/api/admin/requests/${request.id}/refuse`, {
      params: { id: request.id },
      body: {},
    });
    expect([refused.status, await statusOf(request)]).toEqual([200, "refused"]);
  });

  it("is not applied for an asker whom a save before the approval disables", async () => {
    const request = await widening();
    const first = new Client({ connectionString: database.url });
    await first.connect();
    onTestFinished(() => first.end());
    await first.query("begin; select 1 from config_state for update");
    const approving = approve(request);
    const locked = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await vi.waitFor(async () => expect(await database.query(locked)).toHaveLength(1), { timeout: 20_000 });
    await first.query("update person set enabled = false where name = 'the-editor'; commit");
    expect((await approving).json).toMatchObject({
      code: "conflict",
      detail: expect.stringContaining("may no longer sign in"),
    });
    expect([await isWide(), await statusOf(request)]).toEqual([false, "open"]);
  });

  it("is applied on a later revision when its rows are the same, and no edit of other rows is lost", async () => {
    const request = await widening();
    await write(PROGRAM, () => [
      { resource: "intents", action: "create", after: { name: "later", description: "", groups: [] } },
    ]);
    expect((await approve(request)).status).toBe(200);
    expect(await isWide()).toBe(true);
    expect(await database.query("select name from intent")).toEqual([{ name: "later" }]);
    await write(PROGRAM, () => [{ resource: "intents", action: "delete", id: "later" }]);
  });

  it("is applied once, and neither expires nor is reverted early, when the clock goes back by an hour", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + HOUR_MS });
    const request = await widening();
    vi.useRealTimers();
    const earlier = new Date(Date.now() - HOUR_MS);
    expect(await expireRequests(earlier)).toBe(0);
    await revertUnconfirmed(earlier);
    expect(await statusOf(request)).toBe("open");
    expect((await approve(request)).status).toBe(200);
    expect((await approve(request)).status).toBe(409);
    expect(await statusOf(request)).toBe("applied");
  });

  it("whose secret was erased is not applied without it", async () => {
    const set = await ask(SET_SECRET, "PUT", "/api/admin/secrets/upstream", {
      params: { name: "upstream" },
      body: { value: "hidden", origins: ["https://a.example"] },
      headers: { cookie: await adminCookie("second") },
    });
    const request = waiting(set);
    await database.query(`update request set secrets = null where id = '${request.id}'`);
    const answer = await approve(request);
    expect(answer.json).toMatchObject({ code: "conflict", detail: expect.stringContaining("secrets were erased") });
    expect(await database.query("select name from secret")).toEqual([]);
    expect(await statusOf(request)).toBe("open");
  });

  it("with its secret is applied", async () => {
    const set = await ask(SET_SECRET, "PUT", "/api/admin/secrets/upstream", {
      params: { name: "upstream" },
      body: { value: "hidden", origins: ["https://a.example"] },
      headers: { cookie: await adminCookie("second") },
    });
    expect((await approve(waiting(set))).status).toBe(200);
    expect(await database.query("select name from secret")).toEqual([{ name: "upstream" }]);
    await write(PROGRAM, () => [{ resource: "secrets", action: "delete", id: "upstream" }]);
  });
});

describe("10,000 open requests", () => {
  beforeEach(async () => {
    const [template] = await database.query<{ id: string }>(
      `select id from request where id = '${(await widening()).id}'`,
    );
    await database.query(`
      insert into request (id, kind, status, at, "closesAt", "askerKind", asker, reason, target, basis, facts, body, hash)
      select 'req_' || gen_random_uuid(), kind, status, at - n * interval '1 second', "closesAt" - n * interval '1 second',
        "askerKind", asker, reason, target, basis, facts, body, hash
      from request, generate_series(1, 9999) n where id = '${template?.id}'`);
    await database.query("analyze request");
  });

  it("are read page by page, each once, and the inbox reads no more rows than a page", async () => {
    const seen = new Set<unknown>();
    let cursor: unknown = null;
    for (let page = 0; page < 3; page++) {
      const query = new URLSearchParams({ kind: "change", status: "open", limit: "100" });
      if (typeof cursor === "string") query.set("cursor", cursor);
      const { json } = await ask(LIST, "GET", `/api/admin/requests?${query}`);
      for (const { id } of json.items) seen.add(id);
      cursor = json["nextCursor"];
    }
    expect(seen.size).toBe(300);
    for (const where of ["true", "kind = 'change'", "asker = 'editor@example.com'", "status = 'open'"]) {
      const [row] = await database.query<{ "QUERY PLAN": unknown }>(
        `explain (format json) select * from request where ${where} order by "closesAt" desc, id desc limit 101`,
      );
      expect([where, JSON.stringify(row?.["QUERY PLAN"])]).not.toEqual([where, expect.stringContaining('"Seq Scan"')]);
    }
    for (const status of ["bypassed", "open"]) {
      const [row] = await database.query<{ "QUERY PLAN": unknown }>(
        `explain (format json) select * from request where status = '${status}' and "closesAt" <= now() limit 50`,
      );
      expect(JSON.stringify(row?.["QUERY PLAN"])).not.toContain('"Seq Scan"');
    }
  });

  it("do not keep a change from being saved or approved", async () => {
    const made = await ask(CREATE, "POST", "/api/admin/policies", {
      params: { resource: "policies" },
      body: { name: "more", everyone: true, groups: ["*"] },
      role: "editor",
    });
    expect((await approve(waiting(made))).status).toBe(200);
    await write(PROGRAM, () => [{ resource: "policies", action: "delete", id: "more" }]);
  });
});
