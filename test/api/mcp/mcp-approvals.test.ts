import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Client } from "@modelcontextprotocol/client";
import { POST as APPROVE } from "@/app/api/admin/approvals/[id]/approve/route";
import { POST as REFUSE } from "@/app/api/admin/approvals/[id]/refuse/route";
import { stopJobs } from "@/lib/jobs/runner";
import type { Handler } from "@/lib/http/route";
import { Client as RestClient, keyOf, save, supportDocument, supportTool } from "@/test/api/agents-world";
import { connect, post, serveMcp, statelessMessage, type McpEndpoint } from "@/test/api/mcp-world";
import { startJob } from "@/test/support/jobs/start-job";
import { useDatabase } from "@/test/support/database";
import { ORIGIN, signIn } from "@/test/support/person";

const database = useDatabase();
const CALL = { name: "calculate", arguments: { expression: "6 * 7" } };
let endpoint: McpEndpoint;
let reader: string;
let refunder: string;
let admin: Record<string, string>;

beforeAll(async () => {
  const { tools, ...document } = supportDocument() as { tools: { id: string }[] };
  const asking = supportTool("builtin:calculate", { requiresApproval: true });
  await save({ ...document, tools: tools.map((tool) => (tool.id === "builtin:calculate" ? asking : tool)) });
  reader = await keyOf("reader");
  refunder = await keyOf("refunder");
  admin = await signIn("admin");
  endpoint = await serveMcp();
  startJob("queued-calls");
});
afterAll(async () => {
  await endpoint.close();
  await stopJobs();
});

/** The call that waits for a person. */
async function waiting(): Promise<string> {
  const find = () =>
    database.query<{ callId: string }>(
      `select "callId" from approval where status = 'waiting' order by at desc limit 1`,
    );
  return (await vi.waitUntil(async () => (await find())[0]?.callId, { timeout: 5_000 })) as string;
}

async function decide(handler: Handler, id: string, body: object): Promise<void> {
  const request = new Request(`${ORIGIN}/api/admin/approvals/${id}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...admin },
    body: JSON.stringify(body),
  });
  expect((await handler(request, { params: Promise.resolve({ id }) })).status).toBe(200);
}

describe("in the era of 2026-07-28", () => {
  const era = "2026-07-28";
  /** A client that leaves the coming back to the test. */
  const manual = async (): Promise<Client> =>
    (await connect(endpoint, { credential: reader, era, options: { inputRequired: { autoFulfill: false } } })).client;

  it("the client is asked to repeat the call, and gets the result: it runs once, after the approval", async () => {
    const { client } = await connect(endpoint, { credential: reader, era });
    const result = client.callTool(CALL);
    const id = await waiting();
    await decide(APPROVE, id, {});
    expect(await result).toMatchObject({ structuredContent: { value: 42 } });
    expect((await result)._meta).toMatchObject({ "quartermaster/call": { call_id: id, status: "succeeded" } });
    expect(await database.query(`select 1 from execution where "toolId" = 'builtin:calculate'`)).toHaveLength(1);
    await client.close();
  });

  it("a refusal is a result with its reason", async () => {
    const { client } = await connect(endpoint, { credential: reader, era });
    const result = client.callTool(CALL);
    await decide(REFUSE, await waiting(), { reason: "Not today." });
    expect(await result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("Not today.") }] });
    await client.close();
  });

  const message = (changes: object = {}) => statelessMessage("tools/call", { ...CALL, ...changes });
  const headers = { "mcp-protocol-version": era, "mcp-method": "tools/call", "mcp-name": "calculate" };
  const ask = async (credential: string, changes: object = {}) => {
    const answer = await post(endpoint, credential, message(changes), headers);
    return (await answer.json()) as {
      result?: { resultType: string; requestState?: string };
      error?: { code: number; message: string };
    };
  };

  it("that answer is `input_required`, and its state is valid for this caller and this request only", async () => {
    const first = await ask(reader);
    expect(first.result).toMatchObject({
      resultType: "input_required",
      _meta: { "quartermaster/call": { status: "awaiting_approval" } },
    });
    const { requestState } = first.result!;
    const refused = { code: -32602 };
    expect((await ask(refunder, { requestState })).error).toMatchObject(refused);
    expect((await ask(reader, { requestState, arguments: { expression: "6 * 8" } })).error).toMatchObject(refused);
    expect((await ask(reader, { requestState: `${requestState}x` })).error).toMatchObject(refused);
    await decide(REFUSE, await waiting(), { reason: "No." });
    expect((await ask(reader, { requestState })).result).toMatchObject({ resultType: "complete", isError: true });
  });

  it("a client that disconnects while it waits does not cancel the call", async () => {
    const client = await manual();
    const first = await ask(reader);
    const leave = new AbortController();
    const round = fetch(`${endpoint.origin}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${reader}`,
        ...headers,
      },
      body: JSON.stringify(message({ requestState: first.result!.requestState })),
      signal: leave.signal,
    });
    setImmediate(() => leave.abort());
    await expect(round).rejects.toThrow("aborted");
    const id = await waiting();
    await decide(APPROVE, id, {});
    expect((await ask(reader, { requestState: first.result!.requestState })).result).toMatchObject({
      structuredContent: { value: 42 },
    });
    await client.close();
  });
});

describe("in the era of 2025-11-25", () => {
  it("the result says that a person must approve, and where to read the outcome", async () => {
    const { client } = await connect(endpoint, { credential: reader, era: "2025-11-25" });
    const result = await client.callTool(CALL);
    const id = await waiting();
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^awaiting_approval: .*Do not repeat it.*\/api\/agents\/calls\/call_/) }],
      _meta: { "quartermaster/call": { call_id: id, status: "awaiting_approval" } },
    });
    await decide(APPROVE, id, {});
    const rest = new RestClient(reader);
    await vi.waitUntil(async () => (await rest.read(id)).json.status === "succeeded", { timeout: 5_000 });
    await client.close();
  });
});
