import { Client as Connection } from "pg";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { POST as approve } from "@/app/api/admin/approvals/[id]/approve/route";
import { POST as erasure } from "@/app/api/admin/executions/erasure/route";
import { GET as execution } from "@/app/api/admin/executions/[id]/route";
import { verifyLog } from "@/lib/audit/verify/verify";
import { production } from "@/lib/calls/pipeline/dependencies";
import type { ErasureOutput } from "@/lib/contracts/log/erasure";
import { stopJobs } from "@/lib/jobs/runner";
import { Client, documentWithTool, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { createSession } from "@/lib/store/calls/sessions";
import { intentSql } from "@/lib/store/log/executions-sql";
import { useDatabase } from "@/test/support/database";
import { runQueued } from "@/test/support/jobs/run-queued";

const database = useDatabase();
const CALL = { tool_id: "builtin:calculate", arguments: { expression: "3 + 3" } };

beforeAll(() => save(supportDocument()));
afterAll(stopJobs);

const erase = (agent: string) =>
  ask<ErasureOutput>(erasure, "POST", "/api/admin/executions/erasure", { body: { agent }, role: "admin" });
const waiting = () =>
  database.query(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    and query like '%UPDATE agent_session SET "question" = NULL%'`);

it("an erasure waits for a session's step that writes claims: the two never deadlock", async () => {
  const worker = new Client(await keyOf("worker"));
  const { json } = await worker.open({ question: "Which ticket?" });
  await worker.call({ ...CALL, session_id: json.session_id });
  const step = new Connection({ connectionString: database.url });
  await step.connect();
  onTestFinished(() => step.end());
  await step.query("begin");
  await step.query("select 1 from agent_session for update");
  const erased = erase("worker");
  await vi.waitFor(async () => expect(await waiting()).not.toEqual([]), { timeout: 5_000 });
  await step.query("insert into execution_claims select * from execution_claims on conflict do nothing");
  await step.query("commit");
  expect((await erased).json).toMatchObject({ calls: 1, claims: 1, sessions: 1 });
});

it("the result of a call that ends during an erasure is erased", async () => {
  const reader = new Client(await keyOf("reader"));
  await reader.open({ question: "Which order?" });
  const callId = (await reader.call(CALL)).json.call_id;
  await database.query("create temp table ended as select * from execution_body where part = 'result'");
  await database.query(`delete from execution_body where part = 'result'`);
  const step = new Connection({ connectionString: database.url });
  await step.connect();
  onTestFinished(() => step.end());
  await step.query("begin");
  await step.query("select 1 from agent_session for update");
  const erased = erase("reader");
  await vi.waitFor(async () => expect(await waiting()).not.toEqual([]), { timeout: 5_000 });
  // The erasure has deleted the arguments, and waits.
  await database.query("insert into execution_body select * from ended");
  await step.query("commit");
  expect((await erased).json).toMatchObject({ calls: 1, bodies: 1 });
  expect(await database.query(`select part from execution_body where "callId" = $1`, [callId])).toEqual([]);
});

it("a call that waits for an approval during an erasure stores no result, and the log stays intact", async () => {
  const { apiVersion, sources, tools, policies } = documentWithTool("builtin:calculate", { requiresApproval: true });
  await save({ apiVersion, sources, tools, policies });
  onTestFinished(async () => void (await save(supportDocument())));
  const reader = new Client(await keyOf("reader", "k2"));
  const { call_id: id } = (await reader.call(CALL)).json;
  expect((await erase("reader")).json).toMatchObject({ calls: 1, bodies: 1 });
  const path = `/api/admin/approvals/${id}/approve`;
  expect((await ask(approve, "POST", path, { params: { id }, body: {}, role: "admin" })).status).toBe(200);
  await runQueued(id, production());
  const { json } = await ask(execution, "GET", `/api/admin/executions/${id}`, { params: { id } });
  expect(json).toMatchObject({
    status: "succeeded",
    arguments: null,
    result: null,
    erased: { by: expect.any(String) },
  });
  expect(await verifyLog({ checkpoints: [] })).toMatchObject({ intact: true });
});

/** A client whose call arrives, waits for `before`, and writes its intent afterwards. */
function lateClient(credential: string, before: () => Promise<unknown>): Client {
  let done: Promise<unknown> | undefined;
  return new Client(credential, () => ({
    ...production(),
    // A call that an erasure's revision outdates is decided again.
    liveInstance: async () => {
      await (done ??= before());
      return production().liveInstance();
    },
  }));
}

/** What the log holds of a call. */
async function stored(id: string) {
  const [row] = await database.query<{ at: Date; claims: string }>(
    `select at, "claimsDigest" as claims from execution where "callId" = $1`,
    [id],
  );
  const parts = await database.query(`select part from execution_body where "callId" = $1`, [id]);
  const claims = await database.query("select 1 from execution_claims where digest = $1", [row!.claims]);
  return { at: row!.at, parts: parts.length, claims: claims.length };
}

it("an erasure covers a call that arrived before it and wrote its intent after it: allowed, refused or async", async () => {
  const credential = await keyOf("reader", "k4");
  let erased: ErasureOutput | undefined;
  for (const call of [
    CALL,
    { tool_id: "builtin:nothing", arguments: { expression: "4 + 4" } },
    { ...CALL, mode: "async" },
  ]) {
    const late = lateClient(credential, async () => (erased = (await erase("reader")).json));
    const { call_id: id } = (await late.call(call)).json;
    expect(await database.query('select 1 from kept_call where "callId" = $1 and later', [id])).toHaveLength(
      "mode" in call ? 1 : 0,
    );
    if ("mode" in call) await runQueued(id, production());
    expect(await stored(id)).toEqual({ at: expect.any(Date), parts: 0, claims: 0 });
    expect((await stored(id)).at < new Date(erased!.to)).toBe(true);
    const { json } = await ask(execution, "GET", `/api/admin/executions/${id}`, { params: { id } });
    expect(json).toMatchObject({ arguments: null, result: null, erased: { by: expect.any(String) } });
  }
  expect(await verifyLog({ checkpoints: [] })).toMatchObject({ intact: true });
});

it("a late call finds the erasures of its caller by index, also before the table is analyzed", async () => {
  const connection = new Connection({ connectionString: database.url });
  await connection.connect();
  onTestFinished(() => connection.end());
  await connection.query("begin");
  await connection.query(`insert into revision (number, at, kind, actor, role, note)
    select n, now(), 'user', 'ada', 'admin', '' from generate_series(1001, 21000) n`);
  await connection.query(`insert into log_erasure (name, agent, "to", calls, bodies, claims, sessions, by, revision,
      "createdAt", "updatedAt")
    select 'era_' || n, 'agent ' || n, now(), 0, 0, 0, 0, 'ada', n, now(), now() from generate_series(1001, 21000) n`);
  const { text, values } = intentSql([]);
  const { rows } = await connection.query<Record<string, string>>(`explain ${text}`, [...values]);
  const plan = rows.flatMap(Object.values).join("\n");
  expect(plan).toContain("log_erasure_agent_idx");
  expect(plan).toContain("log_erasure_subject_issuer_idx");
  expect(plan).not.toMatch(/Seq Scan on log_erasure|Backward using revision_pkey/);
});

it("an erasure takes what a call stores right after it, also of a caller that had nothing", async () => {
  const reader = await keyOf("reader", "k5");
  await new Client(reader).call(CALL);
  const refunder = await keyOf("refunder", "k6");
  for (const [agent, credential, began] of [
    ["reader", reader, "select 1 from log_erasure where agent = 'reader' and \"createdAt\" >= $1"],
    ["refunder", refunder, "select 1 where $1::timestamptz is not null"],
  ] as const) {
    let erasing: ReturnType<typeof erase> | undefined;
    const { call_id: id } = (
      await lateClient(credential, async () => {
        const since = new Date();
        erasing = erase(agent);
        await vi.waitFor(async () => expect(await database.query(began, [since])).toHaveLength(1), { interval: 10 });
      }).call(CALL)
    ).json;
    expect((await erasing!).json).toMatchObject({ id: expect.stringMatching(/^era_/) });
    expect(await stored(id)).toMatchObject({ parts: 0, claims: 0 });
  }
});

it("an erasure takes the texts of a session that arrived before it and is stored during the erasure or after it", async () => {
  const reader = new Client(await keyOf("reader", "k7"));
  const texts = { question: "I am Jane Doe", history: ["Jane"], metadata: { name: "Jane" } };
  const { session_id: first } = (await reader.open({ question: texts.question })).json;
  const arrived = new Date(Date.now() - 1);
  const copy = (id: string) =>
    database.query(
      `insert into agent_session select (jsonb_populate_record(session, $2)).* from agent_session session where id = $1`,
      [first, { id, ...texts }],
    );
  const erasing = erase("reader");
  const recorded = `select 1 from log_erasure where agent = 'reader' and "createdAt" >= $1`;
  await vi.waitFor(async () => expect(await database.query(recorded, [arrived])).toHaveLength(1), {
    interval: 10,
    timeout: 5_000,
  });
  await copy("ses_during");
  await erasing;
  const principal = { issuer: "quartermaster", subject: "reader", agent: "reader", client: null };
  const start = {
    principal,
    group: ["default"],
    state: "undefined",
    machine: null,
    profile: null,
    intent: null,
    confidence: null,
  };
  const create = (id: string, now: Date) =>
    createSession({ ...start, ...texts, id, expiresAt: new Date(Date.now() + 60_000) }, now);
  await create("ses_after", arrived);
  await create("ses_later", new Date());
  const sessions =
    "select id, question, history, metadata, bytes < 40 as emptied from agent_session where id = any($1) order by id";
  const gone = { question: null, history: [], metadata: {}, emptied: true };
  expect(await database.query(sessions, [["ses_after", "ses_during", "ses_later"]])).toEqual([
    { id: "ses_after", ...gone },
    { id: "ses_during", ...gone },
    { id: "ses_later", ...texts, emptied: false },
  ]);
});

it("an erasure covers a call that arrived before it, although the database's clock is behind", async () => {
  const reader = new Client(await keyOf("reader", "k8"));
  await erase("reader");
  // The end of an erasure lies in the future of a clock that is behind.
  await database.query(
    `insert into log_erasure select (jsonb_populate_record(past, $1)).* from log_erasure past
    where agent = 'reader' order by revision desc limit 1`,
    [{ name: "era_ahead", to: new Date(Date.now() + 60_000) }],
  );
  const { call_id: id } = (await reader.call(CALL)).json;
  expect(await stored(id)).toMatchObject({ parts: 0, claims: 0 });
});
