import { once } from "node:events";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { callTool } from "@/lib/agents/rest/call";
import { followCall } from "@/lib/agents/rest/calls";
import { getExecution } from "@/lib/store/log/executions";
import { setSecret } from "@/lib/store/config/secrets";
import { production } from "@/lib/calls/pipeline/dependencies";
import { sharedMcpConnections } from "@/lib/calls/mcp/connections";
import { ADMIN, Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { findInDatabase } from "@/test/support/find-in-database";
import { runQueued } from "@/test/support/jobs/run-queued";
import { startMcpServer, textResult, type FixtureTool, type McpServer } from "@/test/support/servers/mcp-server";

// An upstream that answers piece by piece, and a caller that hears it so: over real connections both ways.

const database = useDatabase();
const SECRET = "s3cret-of+the/upstream";
let upstream: Server;
let behave: RequestListener;
let server: McpServer;
let requests = 0;
let key: string;

beforeAll(async () => {
  upstream = createServer((request, response) => {
    requests += 1;
    behave(request, response);
  });
  upstream.listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const host = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  server = await startMcpServer();
  server.tools = { step: { run: inSteps } };
  allowOutbound(host, server.host);
  await setSecret(ADMIN, "upstream", { value: SECRET, origins: [`http://${host}`] });
  const document = supportDocument() as Record<"sources" | "tools" | "groups" | "policies", object[]>;
  const tool = (operation: string, more: object = {}) => ({
    id: `feed:${operation}`,
    description: "Tells one thing after the other.",
    inputSchema: { type: "object" },
    run: { kind: "http", method: "GET", url: `http://${host}/${operation}` },
    ...more,
  });
  await save({
    ...document,
    sources: [
      ...document.sources,
      { name: "feed", kind: "http", auth: { mode: "bearer", secret: "upstream" } },
      { name: "steps", kind: "mcp", url: server.url },
    ],
    tools: [
      ...document.tools,
      tool("read"),
      tool("short", { limits: { timeoutSeconds: 1 } }),
      tool("large", { limits: { answerMiB: 2 } }),
      tool("step", { id: "steps:step", groups: ["feed"], run: { kind: "mcp", tool: "step" } }),
      tool("numbers", { outputSchema: { type: "array", items: { type: "number" } } }),
    ],
    groups: [...document.groups, { name: "feed", selectors: [{ source: "feed" }] }],
    policies: [...document.policies, { name: "all", everyone: true, groups: ["feed"] }],
  });
  key = await keyOf("reader");
});
afterAll(async () => {
  upstream.closeAllConnections();
  upstream.close();
  await sharedMcpConnections().close();
  await server.close();
});
beforeEach(() => {
  requests = 0;
});

const inSteps: NonNullable<FixtureTool["run"]> = async (_args, { mcpReq }) => {
  const progressToken = mcpReq._meta?.progressToken ?? "";
  const params = { progressToken, progress: 1, total: 4, message: "A quarter." };
  await mcpReq.notify({ method: "notifications/progress", params });
  return textResult("done");
};

interface StreamEvent {
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** Reads a stream of events as they come. */
function reading(response: Response) {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const all: StreamEvent[] = [];
  let text = "";
  const take = async (): Promise<boolean> => {
    const { value, done } = await reader.read();
    text += value ?? "";
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const one of events) {
      const [, event, data] = /event: (\w+)\ndata: (.*)/.exec(one) ?? [];
      if (event !== undefined) all.push({ event, data: JSON.parse(data ?? "") as StreamEvent["data"] });
    }
    return !done;
  };
  const chunks = () => all.filter(({ event }) => event === "chunk").map(({ data }) => data["data"]);
  return {
    chunks,
    progress: () => all.filter(({ event }) => event === "progress").map(({ data }) => data),
    /** Resolves when so many chunks have come. */
    until: async (count: number) => {
      while (chunks().length < count)
        if (!(await take())) throw new Error(`The stream ended with ${JSON.stringify(all.at(-1))}`);
    },
    /** The last event, once the stream has ended. */
    end: async () => {
      while (await take());
      return all.at(-1)!;
    },
  };
}

async function streamed(tool = "feed:read") {
  const request = new Request("http://127.0.0.1:3000/api/agents/tools/call", {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ tool_id: tool, arguments: {}, stream: true }),
  });
  return reading(await callTool(request));
}

const plain = (operation = "read") => new Client(key).call({ tool_id: `feed:${operation}`, arguments: {} });

/** The upstream answers so: at once, or step by step by the response that it hands out. */
function answers(type: string, pieces: readonly (string | Uint8Array)[] = []): Promise<ServerResponse> {
  return new Promise((resolve) => {
    behave = (_request, response) => {
      response.writeHead(200, { "content-type": type });
      response.flushHeaders();
      resolve(response);
      void (async () => {
        for (const piece of pieces) await new Promise((done) => response.write(piece, done));
        if (pieces.length > 0) response.end();
      })();
    };
  });
}

describe("an answer that comes piece by piece", () => {
  it.each([
    ["text/event-stream", 'event: word\ndata: {"n":1}\n\n', { event: "word", data: '{"n":1}' }],
    ["application/x-ndjson; charset=utf-8", '{"n":1}\n', { n: 1 }],
    ["text/plain", "one ", "one "],
  ])("is forwarded as it arrives: %s", async (type, piece, chunk) => {
    const answering = answers(type);
    const caller = await streamed();
    const response = await answering;
    for (let count = 1; count <= 3; count += 1) {
      response.write(piece);
      // It has come while the upstream still answers.
      await caller.until(count);
    }
    const expected = type === "text/plain" ? chunk : [chunk];
    expect(caller.chunks()).toEqual([expected, expected, expected]);
    response.end();
    const { event, data } = await caller.end();
    const whole = type === "text/plain" ? "one one one " : [chunk, chunk, chunk];
    expect({ event, status: data["status"], output: data["output"] }).toEqual({
      event: "result",
      status: "succeeded",
      output: whole,
    });
    expect((await getExecution(String(data["call_id"]), { bodies: true }))?.result).toEqual(whole);
  });

  it("equals the whole answer for a caller without streaming", async () => {
    void answers("application/jsonl", ["1\n2", "\n\n", "3"]);
    expect((await plain("numbers")).json.output).toEqual([1, 2, 3]);
    void answers("text/event-stream", ["id: 7\ndata: a\ndata: b\n\n", ": quiet\n\n", "data: cut off"]);
    expect((await plain()).json.output).toEqual([{ data: "a\nb", id: "7" }]);
  });

  it("keeps its last line, and characters that a piece cuts in two", async () => {
    const bytes = new TextEncoder().encode('"é"\n"€"');
    void answers("application/x-ndjson", [bytes.subarray(0, 2), bytes.subarray(2, 7), bytes.subarray(7)]);
    const caller = await streamed();
    expect((await caller.end()).data["output"]).toEqual(["é", "€"]);
    expect(caller.chunks().flat()).toEqual(["é", "€"]);
  });

  it("of very many small items, or of one long text, is sent in few chunks, none too large for a notice", async () => {
    const lines = "1\n".repeat(150_000);
    void answers("application/x-ndjson", [lines.slice(0, 250_001), lines.slice(250_001)]);
    const numbers = await streamed();
    expect((await numbers.end()).data["status"]).toBe("succeeded");
    expect(numbers.chunks().flat()).toHaveLength(150_000);
    const text = "💶 and words; ".repeat(30_000);
    void answers("text/plain", [text]);
    const words = await streamed();
    expect((await words.end()).data["output"]).toBe(text);
    expect(words.chunks().join("")).toBe(text);
    for (const chunk of [...numbers.chunks(), ...words.chunks()])
      expect(Buffer.byteLength(JSON.stringify(chunk))).toBeLessThan(7_000);
    expect(numbers.chunks().length + words.chunks().length).toBeLessThan(2_000);
  });

  it("is validated as a whole at the end, and withheld when it does not fit", async () => {
    void answers("application/x-ndjson", ["1\n", '"two"\n']);
    const { data } = await (await streamed("feed:numbers")).end();
    expect(data).toMatchObject({ status: "failed", error: { code: "output_invalid" } });
    expect("output" in data).toBe(false);
  });

  it("shows no credentials, wherever the pieces break", async () => {
    const [front, back] = [SECRET.slice(0, 9), SECRET.slice(9)];
    for (const [type, pieces] of [
      ["text/plain", [`you sent ${front}`, `${back}, thanks`]],
      ["text/event-stream", [`data: you sent ${front}`, `${back}\n\n`]],
      ["application/x-ndjson", [`{"sent":"${front}`, `${back}"}\n`]],
    ] as const) {
      void answers(type, pieces);
      const caller = await streamed();
      const { data } = await caller.end();
      expect(data["status"]).toBe("succeeded");
      const all = JSON.stringify([caller.chunks(), data]);
      expect(all).toContain("sent");
      expect(all).not.toContain(SECRET);
      expect(all).not.toContain(front);
    }
    expect(await findInDatabase(database, SECRET)).toEqual([]);
  });

  it("reaches every follower of an async call", async () => {
    const answering = answers("application/x-ndjson");
    const accepted = await new Client(key).call({ tool_id: "feed:read", arguments: {}, mode: "async" });
    const id = accepted.json.call_id;
    const request = new Request(`http://127.0.0.1:3000/api/agents/calls/${id}/events`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const follower = reading(await followCall(request, { params: Promise.resolve({ id }) }));
    const run = runQueued(id, production());
    const response = await answering;
    const writing = setInterval(() => response.write("1\n"), 20);
    await follower.until(2);
    clearInterval(writing);
    response.end();
    await run;
    expect((await follower.end()).data["status"]).toBe("succeeded");
  });
});

describe("the limits of an answer apply while it is forwarded", () => {
  it("1 MiB in all", async () => {
    const line = `"${"x".repeat(64 * 1024)}"\n`;
    void answers(
      "application/x-ndjson",
      Array.from({ length: 20 }, () => line),
    );
    const caller = await streamed();
    expect((await caller.end()).data).toMatchObject({ status: "failed", error: { code: "result_too_large" } });
    expect(JSON.stringify(caller.chunks()).length).toBeLessThan(1024 * 1024);
  });

  it("or as many MiB as the tool may answer", async () => {
    const mebibyte = "x".repeat(1024 * 1024);
    void answers("text/plain", [mebibyte, "and more"]);
    expect((await plain("large")).json.output).toBe(`${mebibyte}and more`);
    void answers("text/plain", [mebibyte, "and more"]);
    expect((await plain()).json.error?.code).toBe("result_too_large");
    void answers("text/plain", [mebibyte, mebibyte, "and more"]);
    expect((await plain("large")).json.error?.code).toBe("result_too_large");
  });

  it("the tool's time, even against a drip", async () => {
    behave = (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const drip = setInterval(() => response.write("data: .\n\n"), 50);
      response.on("close", () => clearInterval(drip));
    };
    const caller = await streamed("feed:short");
    const { data } = await caller.end();
    expect(data).toMatchObject({ status: "failed", error: { code: "upstream_timeout" } });
    expect(caller.chunks().length).toBeGreaterThan(5);
  });

  it("a partly forwarded answer is not requested again; one not begun is", async () => {
    behave = (_request, response) => {
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      response.write("1\n", () => setTimeout(() => response.destroy(), 20));
    };
    const caller = await streamed();
    expect((await caller.end()).data).toMatchObject({ error: { code: "upstream_unreachable", retryable: true } });
    expect([caller.chunks(), requests]).toEqual([[[1]], 1]);
    expect((await plain()).json).toMatchObject({ error: { code: "upstream_unreachable" }, attempts: 3 });
    await vi.waitFor(() => expect(requests).toBe(4));
  });
});

it("the progress of an MCP server reaches a streaming caller before the result", async () => {
  const caller = await streamed("steps:step");
  const { event, data } = await caller.end();
  expect(caller.progress()).toMatchObject([{ fraction: 0.25, message: "A quarter." }]);
  expect({ event, output: data["output"] }).toEqual({ event: "result", output: "done" });
});
