import { setImmediate } from "node:timers/promises";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { mcpWith } from "@/lib/agents/mcp/endpoint";
import { callToolWith } from "@/lib/agents/rest/call";
import { production, type Dependencies } from "@/lib/calls/pipeline/dependencies";
import { eventsOf, keyOf, save, supportDocument, supportTool } from "@/test/api/agents-world";
import { statelessMessage } from "@/test/api/mcp-world";
import { useDatabase } from "@/test/support/database";
import { ORIGIN } from "@/test/support/person";

// A call that is refused before it runs gets the HTTP status of its refusal, also when the client can read a stream.

useDatabase();
let key: string;

beforeAll(async () => {
  const document = supportDocument() as { tools: { id: string }[] };
  const scoped = supportTool("builtin:calculate", { requiredScopes: ["math"] });
  await save({ ...document, tools: document.tools.map((tool) => (tool.id === "builtin:calculate" ? scoped : tool)) });
  key = await keyOf("reader");
});

/** A request with the key of the agent. */
function ask(path: string, body: object, headers: Record<string, string> = {}): Request {
  const own = { authorization: `Bearer ${key}`, "content-type": "application/json", host: new URL(ORIGIN).host };
  return new Request(ORIGIN + path, { method: "POST", headers: { ...own, ...headers }, body: JSON.stringify(body) });
}

describe("the agent API, to a client that asks for events", () => {
  const call = (body: object, headers: Record<string, string> = {}, deps: () => Dependencies = production) =>
    callToolWith(deps)(ask("/api/agents/tools/call", body, headers));
  const accept = { accept: "text/event-stream" };
  const time = { tool_id: "builtin:current_date_time", arguments: {} };

  it.each<[string, object, number, string]>([
    ["a hidden tool", { tool_id: "builtin:nothing", arguments: {} }, 404, "tool_not_available"],
    ["too little scope", { tool_id: "builtin:calculate", arguments: { expression: "1" } }, 403, "insufficient_scope"],
    ["wrong arguments", { ...time, arguments: { timezone: 7 } }, 400, "invalid_arguments"],
  ])("refuses %s with its status", async (_what, body, status, code) => {
    const answers = await Promise.all([call(body), call(body, accept), call({ ...body, stream: true })]);
    for (const answer of answers) {
      expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "application/json"]);
      expect(answer.headers.get("www-authenticate")?.includes('scope="math"') ?? false).toBe(status === 403);
      expect(await answer.json()).toMatchObject({ error: { code } });
    }
  });

  it("streams a call that runs, also when its tool fails and when its key repeats it", async () => {
    const runners = { ...production().runners, builtin: () => Promise.reject(new Error("broken")) };
    const keyed = { ...accept, "idempotency-key": "repeated" };
    const failing = () => ({ ...production(), runners });
    for (const [headers, deps, status] of [
      [keyed, production, "succeeded"],
      [keyed, production, "succeeded"],
      [accept, failing, "failed"],
    ] as const) {
      const answer = await call(time, headers, deps);
      expect(answer.headers.get("content-type")).toBe("text/event-stream");
      expect((await eventsOf(answer)).at(-1)).toMatchObject({ event: "result", data: { status } });
    }
  });
});

describe("`/mcp`, while the store is slow", () => {
  /** The effects of the pipeline, whose configuration comes when it is opened. */
  function slowStore() {
    let open = () => {};
    let reach = () => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    const reached = new Promise<void>((resolve) => (reach = resolve));
    const snapshot: Dependencies["snapshot"] = async (asked) => {
      reach();
      await opened;
      return production().snapshot(asked);
    };
    return { deps: () => ({ ...production(), snapshot }), reached, open };
  }

  const params = { name: "calculate", arguments: { expression: "1" } };
  const headers = {
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "calculate",
  };
  const plain = statelessMessage("tools/call", params) as { params: { _meta: object } };
  const withProgress = { ...plain, params: { ...plain.params, _meta: { ...plain.params._meta, progressToken: "p" } } };

  /** A call with progress in a session of 2025-11-25, and the headers of the session. */
  async function inSession(): Promise<[message: object, headers: Record<string, string>]> {
    const own = { accept: headers.accept };
    const client = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const message = { jsonrpc: "2.0", id: 1 };
    const opened = await mcpWith(production)(ask("/mcp", { ...message, method: "initialize", params: client }, own));
    const session = opened.headers.get("mcp-session-id") ?? "";
    const paramsWithProgress = { ...params, _meta: { progressToken: "p" } };
    return [
      { ...message, method: "tools/call", params: paramsWithProgress },
      { ...own, "mcp-session-id": session },
    ];
  }

  it.each<[string, () => Promise<[message: object, headers: Record<string, string>]>]>([
    ["a plain call", async () => [plain, headers]],
    ["a call with progress", async () => [withProgress, headers]],
    ["a call with progress in a session", inSession],
  ])("refuses %s that lacks a scope with 403, however long the decision takes", async (_what, asked) => {
    const [message, own] = await asked();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { deps, reached, open } = slowStore();
    const answering = mcpWith(deps)(ask("/mcp", message, own));
    await reached;
    // A timer may begin only when other work of the process has had its turn.
    for (let turn = 0; turn < 10; turn += 1) {
      await setImmediate();
      await vi.advanceTimersByTimeAsync(10_000);
    }
    open();
    const answer = await answering;
    expect(answer.status).toBe(403);
    expect(answer.headers.get("www-authenticate")).toContain('error="insufficient_scope", scope="math"');
  });
});
