import { afterAll, beforeAll, expect, test } from "vitest";
import { env } from "@/lib/env";
import { keyOf, save, supportDocument } from "@/test/api/agents-world";
import { post, serveMcp } from "@/test/api/mcp-world";
import { useDatabase } from "@/test/support/database";
import type { Served } from "@/test/support/servers/serve";

const database = useDatabase();
let endpoint: Served;
let reader: string;
let refunder: string;

beforeAll(async () => {
  await save(supportDocument());
  [reader, refunder] = [await keyOf("reader"), await keyOf("refunder")];
  endpoint = await serveMcp();
});
afterAll(() => endpoint.close());

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

/** Sessions of the reader that were opened by somebody's broken client. */
function leave(sessions: number, minutesAgo: number) {
  return database.query(
    `insert into mcp_session select gen_random_uuid(), 'quartermaster', 'reader', now() - $2 * interval '1 minute'
     from generate_series(1, $1)`,
    [sessions, minutesAgo],
  );
}

test("a caller has as many sessions as the setting allows, and a refusal says when to try again", async () => {
  await leave(env.MCP_SESSIONS_PER_CALLER - 1, 10);
  const opened = await Promise.all([1, 2, 3].map(() => post(endpoint, reader, INITIALIZE)));
  expect(opened.map(({ status }) => status).toSorted()).toEqual([200, 429, 429]);
  const refused = opened.find(({ status }) => status === 429)!;
  expect(await refused.json()).toMatchObject({ code: "quota_exceeded", detail: expect.stringMatching(/1000 MCP/) });
  expect(refused.headers.get("mcp-session-id")).toBeNull();
  // The oldest has been idle for ten minutes of sixty.
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(2_900);
  expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(3_000);
});

test("other callers open sessions meanwhile, and ending one allows another", async () => {
  expect((await post(endpoint, refunder, INITIALIZE)).status).toBe(200);
  expect((await post(endpoint, reader, INITIALIZE)).status).toBe(429);
  const [{ id } = { id: "" }] = await database.query<{ id: string }>(
    "select id from mcp_session where subject = 'reader' limit 1",
  );
  const headers = { authorization: `Bearer ${reader}`, "mcp-session-id": id };
  expect((await fetch(`${endpoint.origin}/mcp`, { method: "DELETE", headers })).status).toBe(204);
  expect((await post(endpoint, reader, INITIALIZE)).status).toBe(200);
});

test("sessions that have been idle for an hour do not count", async () => {
  await database.query(`update mcp_session set "lastUsedAt" = now() - interval '61 minutes'`);
  expect((await post(endpoint, reader, INITIALIZE)).status).toBe(200);
});

test("only DELETE ends a session: HEAD is refused, and the session continues", async () => {
  const id = (await post(endpoint, refunder, INITIALIZE)).headers.get("mcp-session-id")!;
  const headers = { authorization: `Bearer ${refunder}`, "mcp-session-id": id, accept: "text/event-stream" };
  expect((await fetch(`${endpoint.origin}/mcp`, { method: "HEAD", headers })).status).toBe(405);
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  expect((await post(endpoint, refunder, ping, { "mcp-session-id": id })).status).toBe(200);
});

test("DELETE ends the session's open stream too", async () => {
  const id = (await post(endpoint, refunder, INITIALIZE)).headers.get("mcp-session-id")!;
  const headers = { authorization: `Bearer ${refunder}`, "mcp-session-id": id, accept: "text/event-stream" };
  const stream = await fetch(`${endpoint.origin}/mcp`, { headers });
  expect((await fetch(`${endpoint.origin}/mcp`, { method: "DELETE", headers })).status).toBe(204);
  await stream.text();
});
