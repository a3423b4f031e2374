import { createHash } from "node:crypto";
import { Client } from "pg";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { GET as EXPORT } from "@/app/api/admin/executions/export/route";
import { exportLog } from "@/lib/audit/export/export";
import { isSigned } from "@/lib/audit/seal/statement";
import { sealKeys } from "@/lib/audit/seal/trusted-keys";
import { textStream } from "@/lib/http/text-stream";
import { executionExportQuery } from "@/lib/contracts/log/execution-export";
import { listExecutions } from "@/lib/store/log/executions";
import { readExport } from "@/lib/store/log/log-exports";
import { LogWorld } from "@/test/audit/log-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const world = new LogWorld(database);
const EXPORTER = { actor: { kind: "user", name: "ada@localhost", role: "auditor" }, requestId: "r1" } as const;
let calls: string[] = [];

beforeAll(async () => {
  calls = [...(await world.call()), ...(await world.call())];
  await world.seal();
});

/** A complete export as its reader receives it, and its manifest. */
async function exported(query: Record<string, string>) {
  const { id, parts } = await exportLog(executionExportQuery.parse(query), EXPORTER);
  let text = "";
  for await (const part of parts) text += part;
  return { id, text, lines: text.trimEnd().split(/\r?\n/), manifest: await readExport(id) };
}

describe("an export of the log", () => {
  it("has every call, in list order, with the requested columns", async () => {
    const { lines } = await exported({ format: "csv", columns: "callId,status", sort: "at" });
    expect(lines[0]).toBe("callId,status");
    expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual(calls);
  });

  it("is sorted as the list is, by time only", async () => {
    expect(executionExportQuery.safeParse({ sort: "-at" }).success).toBe(true);
    const params = "/api/admin/executions/export?sort=subject";
    expect((await ask(EXPORT, "GET", params, { role: "auditor" })).status).toBe(400);
  });

  it("has exactly the calls that its filters match", async () => {
    const { lines } = await exported({ format: "jsonl", status: "denied" });
    const listed = await listExecutions({ limit: 50, status: "denied" });
    expect(lines.map((line) => JSON.parse(line))).toEqual(listed.items);
  });

  it("has a signed manifest: filter, count and hash of every byte", async () => {
    const { text, manifest } = await exported({ format: "jsonl", status: "succeeded" });
    expect(manifest).toMatchObject({
      actor: "ada@localhost",
      format: "jsonl",
      filter: { status: "succeeded", to: expect.any(String) },
      count: 2,
      sha256: createHash("sha256").update(text).digest("hex"),
      seal: expect.any(Number),
    });
    const [key] = sealKeys();
    const keys = new Map([[manifest!.keyId, key!.x]]);
    expect(isSigned(manifest!, keys)).toBe(true);
    const altered = { ...manifest!, count: 3 };
    expect(isSigned(altered, keys)).toBe(false);
  });

  it("that breaks off has no manifest, but is logged", async () => {
    const { id, parts } = await exportLog(executionExportQuery.parse({}), EXPORTER);
    const reader = parts[Symbol.asyncIterator]();
    await reader.next();
    await reader.return?.();
    expect(await readExport(id)).toBeNull();
    expect(await database.query("select actor, action from audit_event where target = $1", [id])).toEqual([
      { actor: "ada@localhost", action: "executions.exported" },
    ]);
  });

  it("waits for its reader: holds at most two pages in memory, and reads one ahead", async () => {
    await database.query(
      `create temp table many as select * from execution where "callId" = '${calls[0]}';
       insert into execution select (jsonb_populate_record(many, jsonb_build_object('callId', 'call_many_' || n, 'session', 'many'))).*
       from many, generate_series(1, 5000) n`,
    );
    const { parts } = await exportLog(executionExportQuery.parse({ session: "many" }), EXPORTER);
    let made = 0;
    const counted = async function* () {
      for await (const part of parts) {
        made += 1;
        yield part;
      }
    };
    const reader = textStream(counted()).getReader();
    await reader.read();
    // The time that another reader needs to read it all.
    expect((await exported({ session: "many" })).manifest).toMatchObject({ count: 5_000 });
    expect(made).toBeLessThanOrEqual(3);
    let lines = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read())
      lines += Buffer.from(next.value).toString().split("\r\n").length - 1;
    // The head, and 13 pages of at most 400 rows.
    expect([lines, made]).toEqual([5_000, 14]);
  });

  it("continues when a page takes longer than a request may", async () => {
    const { parts } = await exportLog(executionExportQuery.parse({ columns: "callId", session: "many" }), EXPORTER);
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query("begin; lock table execution in access exclusive mode");
    const waiting = `select from pg_stat_activity where application_name = 'quartermaster log' and wait_event_type = 'Lock'`;
    const released = vi
      .waitUntil(async () => (await database.query(waiting)).length > 0, { timeout: 10_000 })
      .finally(() => holder.end());
    let lines = 0;
    for await (const part of parts) lines += part.split("\r\n").length - 1;
    await released;
    expect(lines).toBe(5_001);
  });

  it("escapes formulas, quotes and line breaks for spreadsheets", async () => {
    await database.query(
      `create temp table odd as select * from execution where "callId" = '${calls[0]}';
       update odd set "callId" = 'call_odd', agent = '=HYPERLINK("x")', subject = E'a"b,\\nc', session = 'odd';
       insert into execution select * from odd`,
    );
    const { text } = await exported({ format: "csv", columns: "agent,subject", session: "odd" });
    expect(text).toBe('agent,subject\r\n"\'=HYPERLINK(""x"")","a""b,\nc"\r\n');
  });

  it("as OCSF has one API activity per line, with refusals marked", async () => {
    const { lines } = await exported({ format: "ocsf", sort: "at", status: "denied" });
    const [event] = lines.map((line) => JSON.parse(line));
    expect(event).toMatchObject({
      class_uid: 6003,
      type_uid: 600399,
      status_id: 2,
      action: "Denied",
      metadata: { uid: calls[2], product: { name: "Quartermaster" } },
      actor: { user: { name: "reader" } },
      api: { operation: "nothing:here" },
    });
    for (const required of [
      "activity_id",
      "actor",
      "api",
      "category_uid",
      "class_uid",
      "metadata",
      "severity_id",
      "src_endpoint",
      "time",
      "type_uid",
    ])
      expect(event).toHaveProperty(required);
  });
});

describe("an export with bodies", () => {
  it("has redacted bodies, and is logged as reading them", async () => {
    const { id, lines, manifest } = await exported({ format: "jsonl", bodies: "true", columns: "callId", sort: "at" });
    const [first, failed, denied] = calls.map((callId) =>
      lines.map((line) => JSON.parse(line)).find((row) => row.callId === callId),
    );
    expect(first).toEqual({
      callId: calls[0],
      arguments: { expression: "1 + 1" },
      result: { value: 2 },
      truncated: null,
      erased: null,
    });
    expect(failed).toMatchObject({ arguments: { expression: "1 +" }, result: null });
    expect(denied).toMatchObject({ callId: calls[2] });
    expect(manifest).toMatchObject({ filter: { bodies: true }, columns: expect.arrayContaining(["result", "erased"]) });
    expect(await database.query("select action from audit_event where target = $1 order by id", [id])).toEqual([
      { action: "executions.exported" },
      { action: "executions.bodies" },
    ]);
  });

  it("as OCSF has bodies in OCSF's fields, and none unless requested", async () => {
    const query = { format: "ocsf", sort: "at", status: "succeeded" };
    const { lines } = await exported({ ...query, bodies: "true" });
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      api: { request: { data: { expression: "1 + 1" } }, response: { data: { value: 2 } } },
      unmapped: { erased: null, truncated: null },
    });
    const { text, manifest } = await exported(query);
    expect(text).not.toContain('"data"');
    expect(manifest?.filter).not.toHaveProperty("bodies");
  });

  it("as CSV has bodies as JSON text", async () => {
    const { lines } = await exported({ format: "csv", sort: "at", status: "succeeded", bodies: "true" });
    expect(lines[0]).toMatch(/,arguments,result,truncated,erased$/);
    expect(lines[1]).toContain('"{""expression"":""1 + 1""}"');
  });
});
