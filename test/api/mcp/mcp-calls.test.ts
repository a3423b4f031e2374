import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Progress } from "@modelcontextprotocol/client";
import { stopJobs } from "@/lib/jobs/runner";
import { createFront, drain, answerNotFound } from "@/lib/server/front/front";
import { findAgentRoute } from "@/lib/server/routes";
import { production, type Dependencies } from "@/lib/calls/pipeline/dependencies";
import { sharedMcpConnections } from "@/lib/calls/mcp/connections";
import { keyOf, save, supportDocument, supportTool } from "@/test/api/agents-world";
import { connect, ERAS, initialize, post, serveMcp, statelessMessage, type Era } from "@/test/api/mcp-world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { startJob } from "@/test/support/jobs/start-job";
import { useDatabase } from "@/test/support/database";
import { startMcpServer, textResult, type FixtureTool, type McpServer } from "@/test/support/servers/mcp-server";
import type { Served } from "@/test/support/servers/serve";

const database = useDatabase();
let upstream: McpServer;
let endpoint: Served;
let key: string;
/** The upstream's work that was cancelled. */
let stopped: string[] = [];

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const BLOCKS = [
  { type: "text", text: "Here." },
  { type: "image", data: PNG, mimeType: "image/png" },
  { type: "audio", data: "UklGRg==", mimeType: "audio/wav" },
  { type: "resource", resource: { uri: "https://files.example/a", mimeType: "text/plain", text: "embedded" } },
  { type: "resource_link", uri: "https://files.example/b", name: "b" },
] as const;

const BOOKMARKS = [
  { type: "resource_link", uri: "javascript:alert(1)", name: "script" },
  { type: "resource_link", uri: "https://files.example/b", name: "b" },
];

const TOOLS: Record<string, FixtureTool> = {
  blocks: { run: () => ({ content: BLOCKS.map((block) => ({ ...block })) }) },
  picture: { run: () => ({ content: [{ type: "image", data: PNG, mimeType: "image/png" }] }) },
  nothing: { run: () => ({ content: [] }) },
  words: { run: () => textResult("plain words") },
  broken: { run: () => textResult("It broke.", true) },
  measured: {
    outputSchema: { type: "object", properties: { celsius: { type: "number" } }, required: ["celsius"] },
    run: () => ({ content: [], structuredContent: { celsius: 21 } }),
  },
  cities: {
    outputSchema: { type: "array", items: { $ref: "#/$defs/city" }, $defs: { city: { type: "string" } } } as never,
    run: () => ({ content: [], structuredContent: ["Delft", "Lima"] as never }),
  },
  // Rows of a table, which look like content blocks.
  bookmarks: {
    outputSchema: { type: "array", items: { type: "object" } } as never,
    run: () => ({ content: [], structuredContent: BOOKMARKS as never }),
  },
  misfit: {
    outputSchema: { type: "object", properties: { celsius: { type: "number" } }, required: ["celsius"] },
    run: () => ({ content: [], structuredContent: { celsius: "warm" } }),
  },
  spelt: {
    inputSchema: {
      type: "object",
      properties: { code: { type: "string", pattern: "^[\\-\\:]+$" }, word: { type: "string", pattern: "(?i)^yes$" } },
    },
    outputSchema: { type: "object", properties: { word: { type: "string", pattern: "(?i)^yes$" } } },
    run: ({ word }) => ({ content: [], structuredContent: { word } }),
  },
  charted: {
    outputSchema: { type: "object", properties: { celsius: { type: "number" } }, required: ["celsius"] },
    run: () => ({
      // The structure as text, for clients that read no structure, then the further blocks.
      content: [{ type: "text", text: '{ "celsius": 21 }' }, ...BLOCKS.map((block) => ({ ...block }))],
      structuredContent: { celsius: 21 },
    }),
  },
  steps: {
    run: async (_args, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      if (progressToken !== undefined)
        for (const progress of [0, 50, 50, 100])
          await mcpReq.notify({
            method: "notifications/progress",
            params: { progressToken, progress, total: 100, message: `${progress} of 100` },
          });
      return textResult("done");
    },
  },
  patient: {
    run: (_args, { mcpReq }) =>
      new Promise((resolve) => {
        const stop = () => {
          stopped.push("patient");
          resolve(textResult("stopped"));
        };
        mcpReq.signal.addEventListener("abort", stop, { once: true });
      }),
  },
};

/** An upstream call that reports its begin and never ends by itself. */
function gate(): { readonly deps: () => Dependencies; readonly began: Promise<void> } {
  let began = () => {};
  const beginning = new Promise<void>((resolve) => (began = resolve));
  const { runners } = production();
  const mcp: typeof runners.mcp = (input) => {
    began();
    return runners.mcp(input);
  };
  return { deps: () => ({ ...production(), runners: { ...runners, mcp } }), began: beginning };
}

beforeAll(async () => {
  upstream = await startMcpServer();
  upstream.tools = TOOLS;
  allowOutbound(upstream.host);
  const document = supportDocument() as Record<"sources" | "tools" | "groups" | "policies" | "agents", object[]>;
  await save({
    ...document,
    sources: [...document.sources, { name: "up", kind: "mcp", url: upstream.url }],
    tools: [
      ...document.tools.filter((tool) => (tool as { id: string }).id !== "builtin:current_date_time"),
      supportTool("builtin:current_date_time", { longRunning: true }),
      ...Object.entries(TOOLS).map(([name, { inputSchema = { type: "object" }, outputSchema }]) => ({
        id: `up:${name}`,
        description: name,
        inputSchema,
        ...(outputSchema && { outputSchema }),
        run: { kind: "mcp", tool: name },
      })),
    ],
    groups: [...document.groups, { name: "upstream", description: "", selectors: [{ source: "up" }] }],
    policies: [
      ...document.policies,
      {
        name: "all",
        matchers: [{ claim: "up", operator: "equals", value: true }],
        groups: ["upstream", "helpers"],
      },
    ],
    agents: [...document.agents, { name: "caller", attributes: { up: true } }],
  });
  key = await keyOf("caller");
  endpoint = await serveMcp();
  startJob("queued-calls");
});
afterAll(async () => {
  await sharedMcpConnections().close();
  await stopJobs();
  await Promise.all([endpoint.close(), upstream.close()]);
});

const open = (era: Era, served = endpoint) => connect(served, { credential: key, era });

describe.each(ERAS)("in the era of %s", (era) => {
  it("passes images, audio and resources of an upstream through unchanged", async () => {
    const { client } = await open(era);
    expect((await client.callTool({ name: "blocks", arguments: {} })).content).toEqual(BLOCKS);
    expect((await client.callTool({ name: "picture", arguments: {} })).content).toEqual([BLOCKS[1]]);
    expect((await client.callTool({ name: "nothing", arguments: {} })).content).toEqual([]);
    expect((await client.callTool({ name: "words", arguments: {} })).content).toEqual([
      { type: "text", text: "plain words" },
    ]);
    await client.close();
  });

  it("returns a result with a schema as structured content and as text", async () => {
    const { client } = await open(era);
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === "measured")?.outputSchema).toMatchObject({ required: ["celsius"] });
    const result = await client.callTool({ name: "measured", arguments: {} });
    expect(result.structuredContent).toEqual({ celsius: 21 });
    expect(result.content).toEqual([{ type: "text", text: '{"celsius":21}' }]);
    await client.close();
  });

  it("returns a list with a schema as structured content where the revision allows lists, else as text", async () => {
    const { client } = await open(era);
    const { tools } = await client.listTools();
    const [listed, result] = [
      tools.find(({ name }) => name === "cities")?.outputSchema,
      await client.callTool({ name: "cities", arguments: {} }),
    ];
    expect(result.content).toEqual([{ type: "text", text: '["Delft","Lima"]' }]);
    expect([listed, result.structuredContent]).toEqual(
      era === "2026-07-28" ? [TOOLS["cities"]?.outputSchema, ["Delft", "Lima"]] : [undefined, undefined],
    );
    await client.close();
  });

  it("shows no link with another scheme than http and https, also of structured content, which stays as it is", async () => {
    const { client } = await open(era);
    const result = await client.callTool({ name: "bookmarks", arguments: {} });
    const links = result.content.filter(({ type }) => type === "resource_link");
    const isData = era === "2026-07-28";
    expect([links, result.structuredContent]).toEqual(isData ? [[], BOOKMARKS] : [BOOKMARKS.slice(1), undefined]);
    await client.close();
  });

  it("lists patterns that its clients compile, and checks calls against the stored ones", async () => {
    const { client } = await open(era);
    const { tools } = await client.listTools();
    const listed = tools.find(({ name }) => name === "spelt");
    expect(listed?.inputSchema.properties).toEqual({
      code: { type: "string", pattern: "^[\\-:]+$" },
      word: { type: "string" },
    });
    expect(listed?.outputSchema?.["properties"]).toEqual({ word: { type: "string" } });
    const call = async (args: Record<string, string>) => {
      const { isError = false, content } = await client.callTool({ name: "spelt", arguments: args });
      return [isError, JSON.stringify(content)] as const;
    };
    expect(await call({ code: "-:", word: "YES" })).toEqual([false, expect.stringContaining("YES")]);
    for (const wrong of [{ word: "no" }, { code: "x", word: "yes" }])
      expect(await call(wrong)).toEqual([true, expect.stringContaining("invalid_arguments")]);
    await client.close();
  });

  it("delivers a result that does not fit its schema, marked as succeeded, to clients that check it", async () => {
    const { client } = await open(era);
    // The client checks structured content against the schema once it has listed the tools.
    await client.listTools();
    const result = await client.callTool({ name: "misfit", arguments: {} });
    const [warning, answer] = result.content as { text: string }[];
    expect(warning?.text).toMatch(/^output_warning: The call succeeded\./);
    expect(answer?.text).toBe('{"celsius":"warm"}');
    expect(result._meta?.["quartermaster/call"]).toMatchObject({
      status: "succeeded",
      output_warning: { problems: [{ pointer: "/celsius" }] },
    });
    await client.close();
  });

  it("passes on an upstream's further content, and its structured content once", async () => {
    const { client } = await open(era);
    const result = await client.callTool({ name: "charted", arguments: {} });
    expect(result.structuredContent).toEqual({ celsius: 21 });
    expect(result.content).toEqual([{ type: "text", text: '{"celsius":21}' }, ...BLOCKS]);
    await client.close();
  });

  it("answers an upstream's failure with a result that has our code and its text", async () => {
    const { client } = await open(era);
    const result = await client.callTool({ name: "broken", arguments: {} });
    expect(result).toMatchObject({ isError: true, content: [{ text: "upstream_error: It broke." }] });
    await client.close();
  });

  it("forwards progress to the client that requested it, always with growing values", async () => {
    const { client } = await open(era);
    const reported: Progress[] = [];
    const result = await client.callTool(
      { name: "steps", arguments: {} },
      { onprogress: (progress) => void reported.push(progress) },
    );
    expect(result.content).toEqual([{ type: "text", text: "done" }]);
    expect(reported.map(({ message }) => message)).toEqual(["0 of 100", "50 of 100", "50 of 100", "100 of 100"]);
    expect(reported.every(({ progress }, at) => at === 0 || progress > reported[at - 1]!.progress)).toBe(true);
    expect(reported.at(-1)).toMatchObject({ progress: 1, total: 1 });
    expect((await client.callTool({ name: "steps", arguments: {} })).content).toHaveLength(1);
    await client.close();
  });

  it("cancels a call that its client cancels, upstream and in the log", async () => {
    stopped = [];
    const { deps, began } = gate();
    const own = await serveMcp(deps);
    const { client } = await open(era, own);
    const leave = new AbortController();
    const call = client.callTool({ name: "patient", arguments: {} }, { signal: leave.signal });
    call.catch(() => {});
    await began;
    leave.abort();
    await expect(call).rejects.toThrow(/abort/i);
    await vi.waitUntil(() => stopped.length > 0, { timeout: 5_000 });
    const outcome = () =>
      database.query<{ status: string }>(
        `select o.status from execution_outcome o join execution e using ("callId") where e."toolId" = 'up:patient' order by o.at desc limit 1`,
      );
    await vi.waitUntil(async () => (await outcome())[0]?.status === "cancelled", { timeout: 5_000 });
    await client.close();
    await own.close();
  });

  it("answers a plain call exactly as the SDK, which answers all others", async () => {
    const session = era === "2025-11-25" ? { "mcp-session-id": await initialize(endpoint, key) } : null;
    const ask = async (name: string, args: unknown, besides: object) => {
      const params = { name, arguments: args };
      const { _meta } = (statelessMessage("tools/call") as { params: { _meta: object } }).params;
      const withProgress =
        session === null ? { _meta: { ..._meta, ...besides } } : "progressToken" in besides ? { _meta: besides } : {};
      const message = {
        jsonrpc: "2.0",
        id: 'a "quoted" id',
        method: "tools/call",
        params: { ...params, ...withProgress },
      };
      const headers = { "mcp-protocol-version": era, "mcp-method": "tools/call", "mcp-name": name, ...session };
      const answer = await post(endpoint, key, message, headers);
      const text = await answer.text();
      const json = text.startsWith("{") ? text : (text.match(/^data: (\{.*)$/m)?.[1] ?? text);
      // Of each call alone.
      const body: unknown = JSON.parse(json.replaceAll(/"(call_id|request_id)":"[^"]*"/g, '"$1":"its own"'));
      return { status: answer.status, body };
    };
    const calls = [
      ["words", {}],
      ["blocks", {}],
      ["measured", {}],
      ["misfit", {}],
      ["nothing", undefined],
      ["broken", {}],
      ["calculate", { expression: "1 +" }],
      ["calculate", { wrong: 1 }],
      ["nobody", {}],
    ] as const;
    for (const [name, args] of calls) {
      const [plain, library] = [await ask(name, args, {}), await ask(name, args, { progressToken: 1 })];
      expect(plain).toEqual(library);
    }
  });

  it("sends comments while a plain call takes long, and the answer as the only event", async () => {
    let go = () => {};
    const isReleased = new Promise<void>((resolve) => (go = resolve));
    const { runners } = production();
    const mcp: typeof runners.mcp = (input) => isReleased.then(() => runners.mcp(input));
    const own = await serveMcp(() => ({ ...production(), runners: { ...runners, mcp } }));
    const session = era === "2025-11-25" ? { "mcp-session-id": await initialize(own, key) } : null;
    const params = { name: "words", arguments: {} };
    const message =
      session === null
        ? statelessMessage("tools/call", params)
        : { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const headers = { "mcp-protocol-version": era, "mcp-method": "tools/call", "mcp-name": "words", ...session };
    const answer = await post(own, key, message, headers);
    vi.advanceTimersByTime(60_000);
    go();
    const text = await answer.text();
    expect(text.match(/^(:|event:).*$/gm)).toEqual([": open", ": heartbeat", ": heartbeat", "event: message"]);
    await own.close();
  });

  it("waits for a long-running tool although a worker runs it", async () => {
    const { client } = await open(era);
    const result = await client.callTool({ name: "current_date_time", arguments: {} });
    expect(result.isError).toBeUndefined();
    const { call_id, status } = result._meta!["quartermaster/call"] as Record<string, string>;
    expect(status).toBe("succeeded");
    expect(await database.query(`select 1 from kept_call where "callId" = $1`, [call_id])).toHaveLength(1);
    await client.close();
  });
});

it("runs neither of two calls with one id in a batch: both would get the first one's arguments", async () => {
  const session = await initialize(endpoint, key);
  const call = (name: string) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {} } });
  const count = () => database.query(`select 1 from execution`);
  const before = (await count()).length;
  const answer = await post(endpoint, key, [call("words"), call("nothing")], { "mcp-session-id": session });
  expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: -32_600 } }]);
  expect(await count()).toHaveLength(before);
});

describe("a batch", () => {
  const call = (id: number, name = "words") => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name, arguments: {} },
  });
  const calls = (count: number) => Array.from({ length: count }, (_, id) => call(id));

  it("of 2025-03-26 runs its calls in sequence", async () => {
    let [running, most] = [0, 0];
    const own = await serveMcp(() => {
      const real = production();
      const writeIntent: typeof real.writeIntent = async (...row) => {
        most = Math.max(most, (running += 1));
        return real.writeIntent(...row);
      };
      const writeOutcome: typeof real.writeOutcome = async (...row) => {
        running -= 1;
        return real.writeOutcome(...row);
      };
      return { ...real, writeIntent, writeOutcome };
    });
    const session = await initialize(own, key);
    const answer = await post(own, key, calls(16), { "mcp-session-id": session });
    const text = await answer.text();
    expect(answer.status).toBe(200);
    expect(text.match(/"result"/g)).toHaveLength(16);
    expect(most).toBe(1);
    await own.close();
  });

  it("of more than 16 messages, of none, or of another revision is refused as a whole", async () => {
    const session = await initialize(endpoint, key);
    const count = async () => (await database.query(`select 1 from execution`)).length;
    const before = await count();
    const refused: [object[], Record<string, string>][] = [
      [calls(17), {}],
      [[], {}],
      ...["2025-06-18", "2025-11-25", "2026-07-28"].map((version): [object[], Record<string, string>] => [
        calls(2),
        { "mcp-protocol-version": version },
      ]),
    ];
    for (const [body, headers] of refused) {
      const answer = await post(endpoint, key, body, { "mcp-session-id": session, ...headers });
      expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: -32_600 } }]);
    }
    expect(await count()).toBe(before);
  });
});

describe("a cancellation in a session", () => {
  const HEADERS = { "mcp-protocol-version": "2025-11-25" };
  const call = (id: number) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "patient", arguments: {} },
  });

  it("reaches the instance that serves the request, from any instance; a closed connection cancels nothing", async () => {
    stopped = [];
    const { deps, began } = gate();
    const [here, there] = [await serveMcp(deps), await serveMcp()];
    const session = await initialize(here, key);
    const headers = { ...HEADERS, "mcp-session-id": session };
    const answer = await post(here, key, call(7), headers);
    await began;
    await answer.body!.cancel();
    const other = await initialize(there, key);
    const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } };
    expect((await post(there, key, cancelled, { ...HEADERS, "mcp-session-id": other })).status).toBe(202);
    expect((await post(there, key, { ...cancelled, params: { requestId: "7" } }, headers)).status).toBe(202);
    expect(stopped).toEqual([]);
    expect((await post(there, key, cancelled, headers)).status).toBe(202);
    await vi.waitUntil(() => stopped.length > 0, { timeout: 5_000 });
    await Promise.all([here.close(), there.close()]);
  });

  it("in the era without sessions, a closed connection cancels the call", async () => {
    stopped = [];
    const { deps, began } = gate();
    const own = await serveMcp(deps);
    const leave = new AbortController();
    const answer = fetch(`${own.origin}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${key}`,
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "patient",
      },
      body: JSON.stringify(statelessMessage("tools/call", { name: "patient", arguments: {} })),
      signal: leave.signal,
    });
    answer.catch(() => {});
    await began;
    leave.abort();
    await vi.waitFor(() => expect(stopped).toEqual(["patient"]), { timeout: 5_000 });
    await own.close();
  });
});

describe("on the gateway without Next", () => {
  let front: Server;
  let origin: string;
  beforeAll(async () => {
    front = createFront(findAgentRoute, answerNotFound);
    front.listen(0, "127.0.0.1");
    await once(front, "listening");
    origin = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  });
  afterAll(() => drain(front, 0));

  it.each(ERAS)("a client of %s lists, calls, gets progress and cancels", async (era) => {
    stopped = [];
    const { client } = await connect({ origin }, { credential: key, era });
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("steps");
    const reported: Progress[] = [];
    const onprogress = (progress: Progress) => void reported.push(progress);
    await client.callTool({ name: "steps", arguments: {} }, { onprogress });
    expect(reported).toHaveLength(4);
    const before = upstream.seen.length;
    const leave = new AbortController();
    const call = client.callTool({ name: "patient", arguments: {} }, { signal: leave.signal });
    call.catch(() => {});
    await vi.waitUntil(() => upstream.seen.slice(before).some((headers) => headers["mcp-name"] === "patient"));
    leave.abort();
    await vi.waitFor(() => expect(stopped).toEqual(["patient"]), { timeout: 5_000 });
    await client.close();
  });

  it("serves the metadata", async () => {
    const answer = await fetch(`${origin}/.well-known/oauth-protected-resource/mcp`);
    expect([answer.status, await answer.json()]).toMatchObject([200, { resource: "http://127.0.0.1:3000/mcp" }]);
  });
});
