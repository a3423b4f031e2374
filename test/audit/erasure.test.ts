import { beforeAll, describe, expect, it } from "vitest";
import { POST as erasure } from "@/app/api/admin/executions/erasure/route";
import { GET as changes } from "@/app/api/admin/changes/route";
import { GET as execution } from "@/app/api/admin/executions/[id]/route";
import { exportLog } from "@/lib/audit/export/export";
import { verifyLog } from "@/lib/audit/verify/verify";
import type { ErasureOutput } from "@/lib/contracts/log/erasure";
import { executionExportQuery } from "@/lib/contracts/log/execution-export";
import { Client, keyOf } from "@/test/api/agents-world";
import { LogWorld } from "@/test/audit/log-world";
import { ask } from "@/test/support/admin";
import { countUse } from "@/test/support/count-use";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const world = new LogWorld(database);
const READER = { issuer: "quartermaster", subject: "reader" };
const SECRETIVE = "77777777 + 1";
let calls: string[] = [];
let others = "";

const erase = (body: object, { query = "", role = "admin" as const } = {}) =>
  ask<ErasureOutput>(erasure, "POST", `/api/admin/executions/erasure${query}`, { body, role });
const read = async (callId: string) =>
  (await ask(execution, "GET", `/api/admin/executions/${callId}`, { params: { id: callId } })).json;
const bodiesLeft = () =>
  database.query<{ callId: string }>(`select distinct "callId" from execution_body order by "callId"`);
const counted = ({ id: _id, to: _to, ...counts }: ErasureOutput) => counts;

beforeAll(async () => {
  calls = await world.call();
  const reader = new Client(await keyOf("reader", "reader-again"));
  await reader.open({ question: "Where is order O-1 of Ada?" });
  const asked = await reader.call({ tool_id: "builtin:calculate", arguments: { expression: SECRETIVE } });
  calls.push(asked.json.call_id);
  const other = new Client(await keyOf("refunder"));
  others = (await other.call({ tool_id: "builtin:calculate", arguments: { expression: "2 + 2" } })).json.call_id;
  await world.seal();
});

describe("an erasure", () => {
  it("requires one kind of subject and a valid period", async () => {
    const refused = async (body: object) => {
      const { status, json } = await erase(body);
      expect(status).toBe(400);
      return (json as unknown as { errors: { path: string }[] }).errors.map(({ path }) => path);
    };
    expect(await refused({})).toEqual(["subject"]);
    expect(await refused({ subject: "reader" })).toEqual(["issuer"]);
    expect(await refused({ ...READER, agent: "reader" })).toEqual(["agent"]);
    expect(await refused({ ...READER, everyone: true })).toEqual(["everyone"]);
    expect(await refused({ ...READER, from: "2026-02-01T00:00:00Z", to: "2026-01-01T00:00:00Z" })).toEqual(["to"]);
  });

  it("in a dry run counts, and erases nothing", async () => {
    const before = await bodiesLeft();
    const { json } = await erase(READER, { query: "?dryRun=true" });
    expect(json).toMatchObject({ id: null, calls: 4, claims: 1, sessions: 1 });
    expect(json.bodies).toBeGreaterThanOrEqual(6);
    expect(await bodiesLeft()).toEqual(before);
    expect((await verifyLog({ checkpoints: [] })).erased).toBe(0);
  });

  it("of a period before the calls erases nothing, and is recorded, because a late call may still be written", async () => {
    const { json } = await erase({ ...READER, to: "2020-01-01T00:00:00Z" });
    expect(json).toMatchObject({ calls: 0, bodies: 0, claims: 0, sessions: 0 });
    const { json: recorded } = await ask(changes, "GET", "/api/admin/changes?resource=erasures");
    expect(recorded.items).toMatchObject([{ after: { name: json.id, calls: 0 } }]);
  });

  it("erases exactly the counted bodies of that caller, and every seal stays valid", async () => {
    const planned = (await erase(READER, { query: "?dryRun=true" })).json;
    const { json } = await erase(READER);
    expect(counted(json)).toEqual(counted(planned));
    expect(await bodiesLeft()).toEqual([{ callId: others }]);
    const report = await verifyLog({ checkpoints: [] });
    expect(report).toMatchObject({ intact: true, erased: planned.bodies });
    const text = await database.query<{ all: string }>(
      `select concat(string_agg(history::text, ''), string_agg(question, '')) as all from agent_session`,
    );
    expect(text[0]?.all).not.toContain("Ada");
    expect((await erase(READER)).json).toMatchObject({ calls: 0 });
  });

  it("is recorded as a change with subject, counts and actor, without content", async () => {
    const { json } = await ask(changes, "GET", "/api/admin/changes?resource=erasures");
    expect(json.items).toHaveLength(3);
    expect(json.items[1]).toMatchObject({ action: "create", after: { ...READER, calls: 4, claims: 1, sessions: 1 } });
    expect(JSON.stringify(json)).not.toContain("77777777");
  });

  it("is visible on the call's page and in an export", async () => {
    const gone = await read(calls[3] ?? "");
    expect(gone).toMatchObject({ arguments: null, result: null, claims: null });
    expect(gone["erased"]).toEqual({ at: expect.any(String), by: expect.stringContaining("@") });
    expect((await read(others))["erased"]).toBeNull();
    const { parts } = await exportLog(executionExportQuery.parse({ format: "jsonl", bodies: "true" }), {
      actor: { kind: "user", name: "ada@localhost", role: "auditor" },
      requestId: "r1",
    });
    let text = "";
    for await (const part of parts) text += part;
    const rows = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows.find(({ callId }) => callId === calls[3])).toMatchObject({ erased: gone["erased"], arguments: null });
    expect(rows.find(({ callId }) => callId === others)).toMatchObject({ erased: null, result: { value: 4 } });
  });

  it("of an agent covers its calls with any subject", async () => {
    expect((await erase({ agent: "refunder" })).json).toMatchObject({ calls: 1, bodies: 2, claims: 1 });
    expect(await bodiesLeft()).toEqual([]);
  });

  it("with a later end covers the calls until now, and none after", async () => {
    const later = new Date(Date.now() + 86_400_000).toISOString();
    const { json } = await erase({ agent: "reader", to: later });
    expect(Date.parse(json.to)).toBeLessThanOrEqual(Date.now());
    const reader = new Client(await keyOf("reader", "reader-later"));
    const call = { tool_id: "builtin:calculate", arguments: { expression: "5 + 5" } };
    const callId = (await reader.call(call)).json.call_id;
    await countUse(database);
    expect(await read(callId)).toMatchObject({ result: { value: 10 }, erased: null });
    expect(await database.query(`select tool from usage_day where policy = ''`)).toEqual([{ tool: call.tool_id }]);
    await erase({ agent: "reader" });
  });

  it("is allowed to administrators only", async () => {
    for (const role of ["editor", "auditor"] as const)
      expect(
        (await ask(erasure, "POST", "/api/admin/executions/erasure?dryRun=true", { body: READER, role })).status,
      ).toBe(403);
  });
});

describe("the function in the database", () => {
  it("refuses an erasure without a subject, unless it states a time", async () => {
    const run = (whose: string) =>
      database.query(`select * from erase_bodies_of(${whose}, 'user', 'x', 'admin', null)`);
    await expect(run("null, null, null, null, null")).rejects.toThrow("say whose");
    await expect(run("'i', null, null, null, now()")).rejects.toThrow("say whose");
    await expect(run("'i', 's', 'a', null, now()")).rejects.toThrow("say whose");
  });

  it("ignores a temporary table of the caller", async () => {
    const [late = ""] = await world.call();
    await database.query(`create temp table audit_event as select * from public.audit_event limit 0`);
    await database.query(
      `select * from erase_bodies_of('quartermaster', 'reader', null, null, now(), 'user', 'x', 'admin', null)`,
    );
    await database.query(`drop table pg_temp.audit_event`);
    expect((await read(late))["erased"]).toMatchObject({ by: "x" });
  });
});
