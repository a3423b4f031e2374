import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { POST as tryTool } from "@/app/api/admin/tools/[id]/try/route";
import { readMetrics } from "@/lib/server/metrics";
import { production, type Dependencies } from "@/lib/calls/pipeline/dependencies";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { connect, ERAS, serveMcp } from "@/test/api/mcp-world";
import { ask } from "@/test/support/admin";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { runQueued } from "@/test/support/jobs/run-queued";
import type { Served } from "@/test/support/servers/serve";

// The tests read everything that the program logs, so it logs at the most verbose level.
process.env["LOG_LEVEL"] = "trace";

useDatabase();

/** Whatever of a call is nobody's business, in shapes that are easily missed. */
const SECRETS = {
  password: "hunter2-correct-horse",
  card: "4111111111111111",
  header: "Bearer eyJhbGciOiJIUzI1NiJ9.c2VjcmV0.c2lnbmF0dXJl",
  key: "sk_live_51Hc9a8b7c6d5e4f3g2h1",
};
const ANSWER = "the-patient-has-been-told";

let upstream: Server;
let endpoint: Served;
let key: string;
const lines: string[] = [];

beforeAll(async () => {
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    lines.push(...String(text).trimEnd().split("\n"));
    return true;
  });
  upstream = createServer((request, response) => {
    const status = request.url?.startsWith("/broken") === true ? 500 : 200;
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error: ANSWER }));
  });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  allowOutbound(host);
  const document = supportDocument() as { sources: object[]; tools: object[] };
  const http = (operation: string, path: string) => ({
    id: `shop:${operation}`,
    description: "Asks.",
    inputSchema: { type: "object", properties: { fine: { const: true } } },
    run: {
      kind: "http",
      method: "POST",
      url: `http://${host}${path}`,
      body: { properties: [{ property: "password", name: "password" }] },
    },
  });
  await save({
    ...document,
    sources: [...document.sources, { name: "shop", kind: "http" }],
    tools: [...document.tools, http("tell", "/tell"), http("fail", "/broken")],
    groups: [{ name: "out", selectors: [{ source: "shop" }] }],
    policies: [{ name: "all", everyone: true, groups: ["out"] }],
    intents: [],
  });
  key = await keyOf("reader");
  endpoint = await serveMcp();
});

afterAll(async () => {
  vi.restoreAllMocks();
  await endpoint.close();
  upstream.closeAllConnections();
  upstream.close();
});

beforeEach(() => {
  lines.length = 0;
});

/** Lines as they were logged; each is JSON. Nothing of a body or a credential is in any of them. */
function logged(): Record<string, unknown>[] {
  const text = lines.join("\n");
  for (const secret of [...Object.values(SECRETS), ANSWER, key]) expect(text).not.toContain(secret);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("what is logged of a call holds no body and no secret, and names its request", () => {
  it("over REST: at once, later, refused, failed and misspelt", async () => {
    const client = new Client(key);
    const requestId = "request-of-this-test";
    const named = { "x-request-id": requestId };
    await client.call({ tool_id: "shop:tell", arguments: SECRETS }, named);
    await client.call({ tool_id: "shop:fail", arguments: SECRETS }, named);
    await client.call({ tool_id: "shop:tell", arguments: { ...SECRETS, fine: false } }, named);
    await client.call({ tool_id: "builtin:calculate", arguments: SECRETS }, named);
    await client.call(`{"tool_id":"shop:tell","arguments":{"password":"${SECRETS.password}"`, named);
    await new Client(`${key}x`).call({ tool_id: "shop:tell", arguments: SECRETS }, named);
    const later = await client.call({ tool_id: "shop:tell", arguments: SECRETS, mode: "async" }, named);
    await runQueued(later.json.call_id, production());
    const found = logged();
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found.map((line) => line["requestId"]))).toEqual(new Set([requestId]));
  });

  it("with the profiles that were used, at the level of information, and the tools that each lets through", async () => {
    const used = async (send: (client: Client) => Promise<unknown>) => {
      lines.length = 0;
      await send(new Client(key));
      return logged().filter((line) => line["msg"] === "A profile was used.");
    };
    const named = { "x-request-id": "a-request" };
    const main = { level: 30, requestId: "a-request", profile: "main", denied: 0 };
    const call = await used((client) => client.call({ tool_id: "shop:tell", arguments: {} }, named));
    expect(call).toEqual([expect.objectContaining(main)]);
    expect(call[0]?.["allowed"]).toBeGreaterThan(1);
    const list = await used((client) => client.list("?profile=scheduled", named));
    expect(list.map(({ level, profile }) => [level, profile])).toEqual([[30, "scheduled"]]);
  });

  it.each(ERAS)("over MCP, %s", async (era) => {
    const { client } = await connect(endpoint, { credential: key, era });
    for (const name of ["tell", "fail", "nothing"]) await client.callTool({ name, arguments: SECRETS }).catch(() => {});
    await client.callTool({ name: "tell", arguments: { ...SECRETS, fine: false } });
    await client.close();
    const found = logged();
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((line) => typeof line["requestId"] !== "string")).toEqual([]);
  });

  it("by a person who tries a tool, and by a metrics reader with a wrong token", async () => {
    for (const id of ["shop:tell", "shop:fail"])
      await ask(tryTool, "POST", `/api/admin/tools/${id}/try`, {
        params: { id },
        body: { agent: "reader", arguments: SECRETS },
      });
    await readMetrics(
      new Request("http://127.0.0.1/api/metrics", { headers: { authorization: `Bearer ${SECRETS.key}` } }),
    );
    expect(logged().filter((line) => typeof line["requestId"] !== "string")).toEqual([]);
  });

  it("where something breaks: what hangs on an error stays there", async () => {
    const holding = (message: string) =>
      Object.assign(new Error(message, { cause: Object.assign(new Error("inner"), { detail: SECRETS.card }) }), {
        parameters: Object.values(SECRETS),
        detail: `Failing row contains (${SECRETS.password}).`,
        code: "23514",
      });
    const broken: Partial<Dependencies>[] = [
      { writeIntent: () => Promise.reject(holding("the row was refused")) },
      { writeOutcome: () => Promise.reject(holding("the outcome was refused")) },
      { runners: { ...production().runners, http: () => Promise.reject(holding("the runner broke")) } },
      { findSession: () => Promise.reject(holding("the session broke")) },
    ];
    for (const deps of broken)
      await new Client(key, () => ({ ...production(), ...deps })).call({
        tool_id: "shop:tell",
        arguments: SECRETS,
        ...("findSession" in deps && { session_id: "ses_1" }),
      });
    const errors = logged().filter((line) => Number(line["level"]) >= 50);
    const messages = errors.map((line) => (line["err"] as { message: string }).message);
    expect(new Set(messages)).toEqual(
      new Set(["the row was refused", "the outcome was refused", "the runner broke", "the session broke"]),
    );
    expect(errors[0]?.["err"]).toMatchObject({ type: "Error", code: "23514", cause: { message: "inner" } });
    expect(errors.filter((line) => typeof line["requestId"] !== "string")).toEqual([]);
  });
});
