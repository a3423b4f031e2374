import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "@/lib/access/model/configuration";
import { env } from "@/lib/env";
import { sourceInput, type SourceRow } from "@/lib/resources/source";
import { mcpConnections, type McpConnections } from "@/lib/calls/mcp/connections";
import { HiddenTexts, HttpTransport } from "@/lib/calls/mcp/http-transport";
import { NO_CREDENTIALS, sharedCredentials } from "@/lib/calls/credentials/credentials";
import { runMcp } from "@/lib/calls/runners/mcp";
import { outboundStream, type StreamedRequest } from "@/lib/outbound/stream";
import { allowOutbound } from "@/test/support/allow-outbound";
import { referenceServer, startEverything, type Everything } from "@/test/support/servers/mcp-everything";
import { serve } from "@/test/support/servers/serve";
import { startMcpServer, textResult, type McpServer } from "@/test/support/servers/mcp-server";
import { watchHold } from "@/test/support/hostile-schemas";
import { ANY_CALLER } from "@/test/support/any-caller";

const caller = ANY_CALLER;

/** Servers are processes: on a busy machine they take their time. */
const PATIENT = { timeout: 15_000 };

let connections: McpConnections;
beforeEach(() => {
  connections = mcpConnections();
});
afterEach(() => connections.close());

function source(fields: object): SourceRow {
  return { ...sourceInput.parse({ name: "up", kind: "mcp", ...fields }), revision: 1, createdAt: "", updatedAt: "" };
}

function call(
  at: SourceRow,
  tool: string,
  args: JsonObject = {},
  more: { signal?: AbortSignal; updates?: unknown[] } = {},
) {
  return runMcp(
    {
      tool: { run: { kind: "mcp", tool } },
      source: at,
      caller,
      arguments: args,
      signal: more.signal ?? new AbortController().signal,
      hasListener: more.updates !== undefined,
      context: { progress: (...progress) => void more.updates?.push(progress) },
    },
    connections,
  );
}

interface Message {
  readonly id?: number;
  readonly method: string;
}

/** A server of 2025-11-25 whose only answers are JSON. `intercept` answers requests by itself while it answers anything. */
async function plainServer(
  intercept: (message: Message | null, request: Request) => Response | Promise<Response> | null = () => null,
): Promise<SourceRow> {
  const served = await serve(async (request) => {
    const body = await request.text();
    const message = body === "" ? null : (JSON.parse(body) as Message);
    const own = await intercept(message, request);
    if (own !== null) return own;
    if (message?.id === undefined) return new Response(null, { status: message === null ? 405 : 202 });
    const answer = { jsonrpc: "2.0", id: message.id };
    if (message.method === "initialize")
      return Response.json({ ...answer, result: WELCOME }, { headers: { "mcp-session-id": "one" } });
    if (message.method === "tools/call") return Response.json({ ...answer, result: textResult("done") });
    return Response.json({ ...answer, error: { code: -32_601, message: "Unknown method." } });
  });
  onTestFinished(() => served.close());
  allowOutbound(served.host);
  return source({ url: `${served.origin}/mcp` });
}

const EVENTS = { "content-type": "text/event-stream" };
const WELCOME = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: { listChanged: true } },
  serverInfo: { name: "plain", version: "1" },
};

describe("the masked texts of a connection", () => {
  it("are those of recent requests, however often it renews its token", () => {
    const hidden = new HiddenTexts();
    for (let second = 0; second < 5_000; second += 1) hidden.use(["secret", `token ${second}`], second * 1_000);
    expect(hidden.size).toBe(200);
    expect([hidden.has("secret"), hidden.has("token 4999"), hidden.has("token 4000")]).toEqual([true, true, false]);
    hidden.use(["secret", "token 5000"], 5_000_000 + 3_600_000);
    expect([...hidden]).toEqual(["secret", "token 5000"]);
  });
});

describe("the reference server over Streamable HTTP, of 2025-11-25", () => {
  let everything: Everything;
  let at: SourceRow;
  beforeAll(async () => {
    everything = await startEverything();
    allowOutbound(everything.host);
    at = source({ url: everything.url });
  });
  afterAll(() => everything.kill());

  it("returns one text as text, structured content unchanged, and mixed content as a list of blocks", async () => {
    expect(await call(at, "get-sum", { a: 2, b: 3 })).toMatchObject({
      success: true,
      output: expect.stringContaining("5") as unknown,
      attempts: 1,
    });
    expect((await call(at, "get-structured-content", { location: "Chicago" })).output).toEqual({
      temperature: 36,
      conditions: "Light rain / drizzle",
      humidity: 82,
    });
    const { output } = await call(at, "get-tiny-image");
    expect(output).toMatchObject([{ type: "text" }, { type: "image", mimeType: "image/png" }, { type: "text" }]);
  });

  it("passes progress on", async () => {
    const updates: unknown[] = [];
    const result = await call(at, "trigger-long-running-operation", { duration: 0.2, steps: 4 }, { updates });
    expect(result.success).toBe(true);
    expect(updates).toEqual([
      [0.25, ""],
      [0.5, ""],
      [0.75, ""],
      [1, ""],
    ]);
  });

  it("fails with the server's message when the tool is unknown or the arguments are invalid", async () => {
    for (const result of [await call(at, "nothing-like-it"), await call(at, "get-sum", { a: "x" })])
      expect(result).toMatchObject({ success: false, error: { code: "upstream_error" } });
  });

  it("is cancelled when the caller cancels", async () => {
    const controller = new AbortController();
    const updates: unknown[] = [];
    const running = call(
      at,
      "trigger-long-running-operation",
      { duration: 20, steps: 200 },
      {
        updates,
        signal: controller.signal,
      },
    );
    await expect.poll(() => updates.length, PATIENT).toBeGreaterThan(0);
    controller.abort();
    const { success, upstreamMs } = await running;
    expect(success).toBe(false);
    expect(upstreamMs).toBeLessThan(10_000);
  });

  it("fails at once when the server dies during it, and works again in a new session after a restart", async () => {
    const updates: unknown[] = [];
    const running = call(at, "trigger-long-running-operation", { duration: 20, steps: 200 }, { updates });
    await expect.poll(() => updates.length, PATIENT).toBeGreaterThan(0);
    await everything.kill();
    expect(await running).toMatchObject({ success: false, error: { code: "upstream_unreachable", retryable: true } });
    expect(await call(at, "get-sum", { a: 1, b: 1 })).toMatchObject({ error: { code: "upstream_unreachable" } });
    await everything.restart();
    expect(await call(at, "get-sum", { a: 1, b: 1 })).toMatchObject({ success: true });
    await everything.restart();
    expect(await call(at, "get-sum", { a: 1, b: 1 })).toMatchObject({ success: true, attempts: 2 });
  });

  it("runs a call once when it fails with 404 in a session that the server still has", async () => {
    let calls = 0;
    const failing = await serve(async (request) => {
      const body = await request.text();
      const { method, signal } = request;
      const headers = new Headers(request.headers);
      for (const name of ["host", "connection", "content-length"]) headers.delete(name);
      const forwarded = { method, headers, signal, ...(body !== "" && { body }) };
      const answer = await fetch(everything.url, forwarded).catch(() => new Response(null, { status: 502 }));
      if (!body.includes('"tools/call"')) return answer;
      calls += 1;
      return calls === 1 ? answer : new Response("No such page.", { status: 404 });
    });
    allowOutbound(failing.host);
    try {
      const behind = source({ url: `${failing.origin}/mcp` });
      expect(await call(behind, "get-sum", { a: 1, b: 1 })).toMatchObject({ success: true });
      expect(await call(behind, "get-sum", { a: 1, b: 1 })).toMatchObject({ success: false, attempts: 1 });
      expect(calls).toBe(2);
    } finally {
      await connections.close();
      await failing.close();
    }
  });
});

describe("a plain server of 2025-11-25", () => {
  it("may send the headers of a call as late as its result; other answers begin within 10 s", async () => {
    const at = await plainServer();
    const sent: StreamedRequest[] = [];
    const transport = new HttpTransport({
      source: at,
      caller,
      url: at.url!,
      send: (request) => {
        sent.push(request);
        return outboundStream(request);
      },
      credentials: { of: async () => NO_CREDENTIALS },
      hidden: new HiddenTexts(),
    });
    const client = new Client({ name: "test", version: "1" });
    await client.connect(transport);
    await client.callTool({ name: "save", arguments: {} });
    await client.close();
    const waits = sent.filter(({ method }) => method === "POST").map(({ headersMs = "10 s" }) => headersMs);
    expect(waits).toEqual(["10 s", "10 s", 300_000]);
  });

  /** The longest time for which a flood may hold this process, in milliseconds of CPU time. Without pauses it is above 200. */
  const MOST_HOLD = 100;

  it.each([
    ["as the answer to a call", "tools/call", "data:a\n\n"],
    ["on its own stream", "GET", "z\n\n"],
  ])("does not hold this process when it floods us %s", async (_where, flooded, line) => {
    const PIECES = 32;
    let sent = 0;
    const piece = new TextEncoder().encode(line.repeat(65_536 / line.length));
    const pull = (stream: ReadableStreamDefaultController) =>
      sent++ < PIECES ? stream.enqueue(piece) : stream.close();
    const at = await plainServer((message, { method }) =>
      (message?.method ?? method) === flooded ? new Response(new ReadableStream({ pull }), { headers: EVENTS }) : null,
    );
    const watch = watchHold();
    onTestFinished(watch.stop);
    await call(at, "save");
    await expect.poll(() => sent, PATIENT).toBeGreaterThan(PIECES);
    expect(watch.longest()).toBeLessThan(MOST_HOLD);
  });

  it.each([
    ["application/json", (message: string) => message, "result_too_large"],
    ["text/event-stream", (message: string) => `data: ${message}\n\n`, "upstream_unreachable"],
  ])("does not hold this process with a first answer of 9 MiB, as %s", async (type, framed, code) => {
    const meta = JSON.stringify(Array.from({ length: 3_000_000 }, () => []));
    const result = `${JSON.stringify(WELCOME).slice(0, -1)},"_meta":{"a":${meta}}}`;
    const at = await plainServer((message) =>
      message?.method === "initialize"
        ? new Response(framed(`{"jsonrpc":"2.0","id":${message.id},"result":${result}}`), {
            headers: { "content-type": type },
          })
        : null,
    );
    const watch = watchHold();
    onTestFinished(watch.stop);
    expect((await call(at, "save")).error?.code).toBe(code);
    expect(watch.longest()).toBeLessThan(MOST_HOLD);
  });

  it("cannot make us resume its stream more often than once a second, whatever `retry` it sends", async () => {
    let streams = 0;
    const at = await plainServer((_message, { method }) => {
      if (method !== "GET") return null;
      streams += 1;
      const event = `retry: 99999999999\nid: ${streams}\ndata:\n\n`;
      return new Response(event, { headers: EVENTS });
    });
    expect((await call(at, "save")).success).toBe(true);
    await expect.poll(() => streams, PATIENT).toBe(1);
    for (let calls = 0; calls < 20; calls += 1) await call(at, "save");
    expect(streams).toBe(1);
  });

  it("does not delay the result in a caller's name while it ends the session", async () => {
    let deletions = 0;
    const never = new Promise<Response>(() => {});
    const at = await plainServer((_message, { method }) => {
      if (method !== "DELETE") return null;
      deletions += 1;
      return never;
    });
    sharedCredentials.set({ of: async () => NO_CREDENTIALS });
    onTestFinished(() => sharedCredentials.clear());
    const auth = { mode: "token_exchange", secret: "k", tokenUrl: "http://a.example", clientId: "c", audience: "a" };
    const inCallersName = source({ url: at.url, auth });
    const { success, upstreamMs } = await call(inCallersName, "save");
    expect(success).toBe(true);
    expect(upstreamMs).toBeLessThan(9_000);
    await expect.poll(() => deletions, PATIENT).toBe(1);
  });
});

describe("reference servers over stdio", () => {
  const allow = (...words: string[]) => {
    const command = words.join(" ");
    if (!env.MCP_STDIO_ALLOW.includes(command)) env.MCP_STDIO_ALLOW.push(command);
    return source({ command });
  };

  it("are started only when the operator allows the command exactly as written", async () => {
    const at = allow(process.execPath, referenceServer("everything"));
    expect(await call(at, "echo", { message: "hello" })).toMatchObject({ output: "Echo: hello" });
    expect(await call(source({ command: `${at.command} stdio` }), "echo", { message: "x" })).toMatchObject({
      error: { code: "address_refused", message: expect.stringContaining("MCP_STDIO_ALLOW") as unknown },
    });
  });

  it("see nothing of our environment but the path, and an empty home", async () => {
    const at = allow(process.execPath, referenceServer("everything"));
    const { output } = await call(at, "get-env");
    const seen = JSON.parse(String(output)) as Record<string, string>;
    const visible = Object.entries(seen).filter(([, value]) => value !== "");
    expect(visible.map(([name]) => name).toSorted()).toEqual(["HOME", "PATH"]);
    expect(seen["PATH"]).toBe(process.env["PATH"]);
    expect(seen["HOME"]).toContain("quartermaster-mcp-");
  });

  it("are started again after they died", async () => {
    const at = allow(process.execPath, referenceServer("everything"));
    const updates: unknown[] = [];
    const running = call(at, "trigger-long-running-operation", { duration: 20, steps: 200 }, { updates });
    await expect.poll(() => updates.length, PATIENT).toBeGreaterThan(0);
    const pid = await connections.use(at, caller, ({ client }) =>
      Promise.resolve((client.transport as unknown as { pid: number }).pid),
    );
    process.kill(pid, "SIGKILL");
    expect(await running).toMatchObject({ success: false, error: { code: "upstream_unreachable" } });
    expect(await call(at, "echo", { message: "again" })).toMatchObject({ output: "Echo: again" });
  });

  it("say what is wrong with a command that cannot be started", async () => {
    expect(await call(allow("/nowhere/at-all"), "echo")).toMatchObject({
      error: { code: "upstream_unreachable", message: expect.stringContaining("ENOENT") as unknown },
    });
  });

  it("filesystem reads a file of its folder, and refuses a file outside", async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "files-")));
    writeFileSync(join(folder, "note.txt"), "a note");
    const at = allow(process.execPath, referenceServer("filesystem"), folder);
    const read = await call(at, "read_text_file", { path: join(folder, "note.txt") });
    expect(read).toMatchObject({ success: true, output: { content: "a note" } });
    expect(await call(at, "read_text_file", { path: "/etc/passwd" })).toMatchObject({
      success: false,
      error: { code: "upstream_error", message: expect.stringContaining("denied") as unknown },
    });
    await call(at, "write_file", { path: join(folder, "new.txt"), content: "written" });
    expect(readFileSync(join(folder, "new.txt"), "utf8")).toBe("written");
  });
});

describe("a server of 2026-07-28", () => {
  let server: McpServer;
  let at: SourceRow;
  beforeAll(async () => {
    server = await startMcpServer();
    allowOutbound(server.host);
    at = source({ url: server.url });
  });
  afterAll(() => server.close());
  afterEach(() => {
    server.intercept = () => null;
    server.seen.length = 0;
  });

  it("gets a call once when it answers 404, because this era has no session to lose", async () => {
    server.tools = { save: { run: () => textResult("saved") } };
    expect(await call(at, "save")).toMatchObject({ output: "saved" });
    server.intercept = ({ "mcp-method": method }) =>
      method === "tools/call" ? new Response("No such page.", { status: 404 }) : null;
    expect(await call(at, "save")).toMatchObject({ success: false, attempts: 1 });
    expect(server.seen.filter(({ "mcp-method": method }) => method === "tools/call")).toHaveLength(2);
  });

  it("is called in its own era over one connection, and is offered no access to persons or models", async () => {
    server.tools = { echo: { run: (args) => ({ content: [], structuredContent: { ...args } }) } };
    expect(await call(at, "echo", { a: [1, { b: null }] })).toMatchObject({ output: { a: [1, { b: null }] } });
    expect(await call(at, "echo", { a: 2 })).toMatchObject({ output: { a: 2 } });
    expect(server.seen.map((headers) => headers["mcp-method"])).toEqual([
      "server/discover",
      "subscriptions/listen",
      "tools/call",
      "tools/call",
    ]);
    expect(server.seen.every((headers) => headers["mcp-protocol-version"] === "2026-07-28")).toBe(true);
  });

  it("fails with the text of a tool that fails, bounded", async () => {
    server.tools = { fail: { run: () => textResult(`no: ${"x".repeat(5000)}`, true) } };
    const { success, error } = await call(at, "fail");
    expect({ success, code: error?.code }).toEqual({ success: false, code: "upstream_error" });
    expect(error?.message).toMatch(/^no: x+…$/);
    expect(error?.message.length).toBeLessThan(2100);
  });

  it("passes on addresses of http and https only, unless the operator allows other schemes", async () => {
    const link = (uri: string, more = {}) => ({ type: "resource_link" as const, uri, name: "n", ...more });
    const icons = [{ src: "https://a.example/i.png" }, { src: "javascript:alert(1)" }];
    const content = [
      link("https://a.example/x", { icons }),
      link("javascript:alert(1)"),
      link("file:///etc/passwd"),
      { type: "resource" as const, resource: { uri: "file:///a", text: "inside" } },
      { type: "resource" as const, resource: { uri: "file:///b", mimeType: "image/png", blob: "AAAA" } },
      { type: "resource" as const, resource: { uri: "FILE:///c", mimeType: "application/pdf", blob: "AAAA" } },
      link("note://b"),
    ];
    server.tools = { links: { run: () => ({ content }) } };
    expect((await call(at, "links")).output).toEqual([
      link("https://a.example/x", { icons: icons.slice(0, 1) }),
      { type: "text", text: "Link left out, its address has no allowed scheme: n" },
      { type: "text", text: "Link left out, its address has no allowed scheme: n" },
      { type: "text", text: "inside" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "text", text: "Resource left out, its address has no allowed scheme." },
      { type: "text", text: "Link left out, its address has no allowed scheme: n" },
    ]);
    const { RESULT_LINK_SCHEMES } = env;
    RESULT_LINK_SCHEMES.push("note");
    expect((await call(at, "links")).output).toHaveProperty("6.uri", "note://b");
    RESULT_LINK_SCHEMES.pop();
  });

  it("shows no stack trace of a tool that fails", async () => {
    const trace = "no\n    at find (/srv/secret-path.js:1:2)";
    server.tools = { fail: { run: () => textResult(trace, true) } };
    expect((await call(at, "fail")).error?.message).toBe("no\n[stack trace masked]");
    const long = JSON.stringify({ stack: "secret-path", rest: "x".repeat(65_536) });
    server.tools = { fail: { run: () => textResult(long, true) } };
    expect((await call(at, "fail")).error?.message).toBe(`[document of ${long.length} characters left out]`);
  });

  it("gets a notice that a call was cancelled", async () => {
    let isGivenUp = false;
    let isRunning = false;
    server.tools = {
      wait: {
        run: (_args, { mcpReq }) =>
          new Promise((resolve) => {
            isRunning = true;
            mcpReq.signal.addEventListener("abort", () => {
              isGivenUp = true;
              resolve(textResult("late"));
            });
          }),
      },
    };
    const controller = new AbortController();
    const running = call(at, "wait", {}, { signal: controller.signal });
    await expect.poll(() => isRunning, PATIENT).toBe(true);
    controller.abort();
    expect((await running).success).toBe(false);
    await expect.poll(() => isGivenUp, PATIENT).toBe(true);
  });

  it.each([
    ["401", 401, "upstream_auth_failed"],
    ["403", 403, "upstream_auth_failed"],
    ["a redirect", 307, "upstream_error"],
    ["500", 500, "upstream_error"],
  ])("that answers %s is reported", async (_name, status, code) => {
    server.intercept = ({ "mcp-method": method }) =>
      method === "tools/call" ? new Response("why", { status, headers: { location: "http://127.0.0.1:1/" } }) : null;
    expect(await call(at, "echo")).toMatchObject({ success: false, status, error: { code } });
  });

  it.each(["application/json", "text/event-stream"])("may not send more than 10 MiB, as %s", async (type) => {
    const flood = `data: ${"x".repeat(11 * 1024 * 1024)}`;
    server.intercept = ({ "mcp-method": method }) =>
      method === "tools/call" ? new Response(flood, { headers: { "content-type": type } }) : null;
    const { success, error } = await call(at, "flood");
    expect({ success, code: error?.code, retryable: error?.retryable }).toEqual({
      success: false,
      code: "result_too_large",
      retryable: false,
    });
  });

  it.each([
    ["application/json", (message: string) => message],
    ["text/event-stream", (message: string) => `data: ${message}\n\n`],
  ])("that answers another request ends the call at once, as %s", async (type, framed) => {
    const other = framed(JSON.stringify({ jsonrpc: "2.0", id: 9_999, result: { content: [] } }));
    server.intercept = ({ "mcp-method": method }) =>
      method === "tools/call" ? new Response(other, { headers: { "content-type": type } }) : null;
    expect((await call(at, "echo")).error).toMatchObject({
      code: "upstream_unreachable",
      message: "The server's answer ended early.",
    });
  });

  it("is not reached at an address that is not public and not allowed", async () => {
    expect(await call(source({ url: "http://127.0.0.1:8099/mcp" }), "echo")).toMatchObject({
      error: { code: "address_refused" },
    });
  });
});
