import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SEARCH_LISTING } from "@/lib/manifest/search-listing";
import { manifestFormat, toolsOutput } from "@/lib/contracts/agents/agent-api";
import { db } from "@/lib/store/db/database";
import { getExecution } from "@/lib/store/log/executions";
import { builtinTools } from "@/lib/calls/builtin/index";
import {
  Client,
  documentWithTool,
  keyOf,
  save,
  supportDocument,
  type List,
  type Problem,
} from "@/test/api/agents-world";
import { connect, ERAS, serveMcp, type McpEndpoint } from "@/test/api/mcp-world";
import { LINTERS } from "@/test/manifest/lint";
import { useDatabase } from "@/test/support/database";

useDatabase();
let refunder: Client;
let stranger: Client;
let mcp: McpEndpoint;

beforeAll(async () => {
  await save(supportDocument());
  refunder = new Client(await keyOf("refunder"));
  stranger = new Client(await keyOf("stranger"));
  mcp = await serveMcp();
});
afterAll(() => mcp.close());

const NAMES = Object.values(SEARCH_LISTING);
const through = (client: Client, name: string, args: unknown, more: object = {}) =>
  client.call({ name, arguments: args, listing: "search", ...more });
const logged = () => db().execution.count();

describe("a search listing", () => {
  it("holds three tools in place of the list, whatever the format", async () => {
    expect((await refunder.list("?listing=search")).json.data.map(({ name }) => name)).toEqual(NAMES);
    for (const format of manifestFormat.options.filter((one) => one !== "native")) {
      const { json } = await refunder.list<Omit<List, "data"> & { data: object[] }>(`?listing=search&format=${format}`);
      toolsOutput.parse(json);
      expect([json.count, LINTERS[format](json.data)]).toEqual([3, []]);
    }
  });

  it("is empty for a caller without tools, and its search finds nothing", async () => {
    expect((await stranger.list("?listing=search")).json.data).toEqual([]);
    expect((await through(stranger, "search_tools", { query: "order" })).json.output).toEqual({
      count: 0,
      results: [],
    });
  });

  it.each(["search=order", "limit=2", "cursor=x", "defer_loading=true&format=openai"])(
    "is not asked with %s",
    async (query) => {
      const answer = await refunder.list<Problem>(`?listing=search&${query}`);
      expect([answer.status, answer.json.errors.map(({ path }) => path)]).toEqual([400, [query.split("=")[0]]]);
    },
  );

  it("has an etag different from that of the whole list", async () => {
    const full = (await refunder.list()).headers.get("etag") ?? "";
    expect((await refunder.list("?listing=search", { "if-none-match": full })).status).toBe(200);
  });
});

describe("what is found and described", () => {
  it("searches exactly the caller's own list, and is not logged", async () => {
    const before = await logged();
    const list = (await refunder.list()).json.data;
    const found = await through(refunder, "search_tools", { query: "e", limit: 50 });
    const { results } = found.json.output as { results: { name: string }[] };
    expect(results.map(({ name }) => name).toSorted()).toEqual(list.map(({ name }) => name).toSorted());
    for (const entry of list) {
      expect((await through(refunder, "describe_tool", { name: entry.name })).json.output).toEqual(entry);
      expect((await through(refunder, "describe_tool", { name: entry.tool_id })).json.output).toEqual(entry);
    }
    expect(await logged()).toBe(before);
  });

  it("holds no characters that a reviewer does not see, nor does what the built-in search finds", async () => {
    const hidden = "\u{E0049}\u{E0047}\u202E";
    await save(documentWithTool("support:list_orders", { description: `Finds${hidden} orders.` }));
    for (const answer of [
      await through(refunder, "search_tools", { query: "orders" }),
      await through(refunder, "describe_tool", { name: "support:list_orders" }),
      await refunder.call({ tool_id: "builtin:search_tools", arguments: { query: "orders" } }),
    ]) {
      expect(answer.text).toContain("Finds orders.");
      expect(answer.text).not.toMatch(/[\u{E0000}-\u{E007F}\u202E]/u);
    }
    await save(supportDocument());
  });

  it("answers a hidden tool and an unknown one alike", async () => {
    const [hidden, unknown] = await Promise.all(
      ["close_ticket", "nothing_at_all"].map((name) => through(refunder, "describe_tool", { name })),
    );
    expect(hidden?.status).toBe(404);
    expect(hidden?.json.error).toEqual(unknown?.json.error);
  });
});

describe("what is refused of it", () => {
  const row = { toolId: null, status: "failed", code: "invalid_arguments", reason: "invalid_arguments" };
  const wrong = [
    ["call_tool", { tool: "calculate" }],
    ["search_tools", { limit: 3 }],
    ["search_tools", { query: "a ".repeat(101) }],
    ["describe_tool", { name: 1 }],
    ["call_tool", JSON.parse('{"name":"calculate","arguments":{"__proto__":1}}') as object],
  ] as const;

  it.each(wrong)("a wrong %s is a row under its own name: %j", async (name, args) => {
    const { status, json } = await through(refunder, name, args);
    expect([status, json.error?.code]).toEqual([400, "invalid_arguments"]);
    expect(json.error?.message).toContain(`\`${name}\``);
    expect(await getExecution(json.call_id, { bodies: false })).toMatchObject({ ...row, asked: name });
  });

  it.each(ERAS)("is a row at /mcp too, %s", async (era) => {
    const { client } = await connect(mcp, { credential: refunder.credential, era, query: "?listing=search" });
    try {
      for (const [name, args] of wrong) {
        const { isError, _meta } = await client.callTool({ name, arguments: { ...args } });
        const { call_id } = _meta!["quartermaster/call"] as { call_id: string };
        const execution = await getExecution(call_id, { bodies: false });
        expect([isError, execution]).toMatchObject([true, { ...row, asked: name }]);
      }
    } finally {
      await client.close();
    }
  });

  it("a description that is not given is a row with the true reason", async () => {
    const { json } = await through(refunder, "describe_tool", { name: "close_ticket" });
    expect(await getExecution(json.call_id, { bodies: true })).toMatchObject({
      toolId: "support:close_ticket",
      asked: "describe_tool",
      arguments: { name: "close_ticket" },
      status: "denied",
      code: "tool_not_available",
      reason: "not_in_granted_group",
    });
  });

  it("records a refused list request with another caller's session", async () => {
    const { status, json } = await through(refunder, "search_tools", { query: "e" }, { session_id: randomUUID() });
    const execution = await getExecution(json.call_id, { bodies: false });
    expect([status, execution]).toMatchObject([404, { asked: "search_tools", reason: "session_not_found" }]);
  });
});

describe("a call through it", () => {
  it("calls the real tool: its answer, its one row, its arguments", async () => {
    const before = await logged();
    const { json, status } = await through(refunder, "call_tool", {
      name: "calculate",
      arguments: { expression: "6 * 7" },
    });
    expect([status, json.tool_id, json.name, json.output]).toEqual([
      200,
      "builtin:calculate",
      "calculate",
      { value: 42 },
    ]);
    expect(await logged()).toBe(before + 1);
    expect(await getExecution(json.call_id, { bodies: true })).toMatchObject({
      toolId: "builtin:calculate",
      asked: "calculate",
      arguments: { expression: "6 * 7" },
      policies: ["support-staff"],
    });
  });

  it("is decided like any other call, for every tool", async () => {
    for (const { id } of builtinTools()) {
      const args = { not_an_argument: true };
      const direct = await refunder.call({ tool_id: id, arguments: args });
      const searched = await through(refunder, "call_tool", { name: id, arguments: args });
      expect([id, searched.status, searched.json.error]).toEqual([id, direct.status, direct.json.error]);
      const rows = await Promise.all(
        [direct, searched].map(({ json }) => getExecution(json.call_id, { bodies: false })),
      );
      expect([rows[1]?.toolId, rows[1]?.reason]).toEqual([rows[0]?.toolId, rows[0]?.reason]);
    }
  });

  it("is refused by a policy's condition on the arguments of the real tool", async () => {
    const args = { order_id: "O-1001", amount: 500, reason: "broken" };
    const { json } = await through(refunder, "call_tool", { name: "refund_order", arguments: args });
    expect(json.error?.message).toBe("Refunds above 100 euro need a supervisor.");
  });

  it("keeps its idempotency key for the real call", async () => {
    const headers = { "idempotency-key": "searched-1" };
    const body = {
      name: "call_tool",
      listing: "search",
      arguments: { name: "calculate", arguments: { expression: "1 + 1" } },
    };
    const first = await refunder.call(body, headers);
    expect((await refunder.call(body, headers)).json.call_id).toBe(first.json.call_id);
  });
});

describe.each(ERAS)("a search listing at /mcp, %s", (era) => {
  it("lists the three tools and calls the real one", async () => {
    const { client } = await connect(mcp, { credential: refunder.credential, era, query: "?listing=search" });
    try {
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(NAMES);
      const answer = await client.callTool({
        name: "call_tool",
        arguments: { name: "calculate", arguments: { expression: "6 * 7" } },
      });
      expect(answer.structuredContent).toEqual({ value: 42 });
      const found = await client.callTool({ name: "search_tools", arguments: { query: "calculate" } });
      expect(JSON.stringify(found)).toContain("calculate");
    } finally {
      await client.close();
    }
  });
});
