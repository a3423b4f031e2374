import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as list from "@/app/api/admin/[resource]/route";
import { setUp } from "@/bin/first-start";
import { mcpWith } from "@/lib/agents/mcp/endpoint";
import { closeDatabase } from "@/lib/store/db/database";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { production } from "@/lib/calls/pipeline/dependencies";
import { Client } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

// A body is counted before it is parsed: what it holds decides what parsing and checking it takes.
useDatabase();
let key: string;
let bot: Client;

beforeAll(async () => {
  key = (await setUp({ demo: true })).apiKey ?? "";
  bot = new Client(key);
});
afterAll(async () => {
  closeSnapshot();
  await closeDatabase();
});

const ones = (count: number) => Array.from({ length: count }, () => 1);
const fields = (count: number) => Object.fromEntries(ones(count).map((_, at) => [`f${at}`, at]));

describe("a body that holds more than a body may", () => {
  it.each([
    [
      "values in a call's arguments",
      { tool_id: "builtin:calculate", arguments: { list: ones(25_001) } },
      "25000 values",
    ],
    ["values elsewhere", { tool_id: "builtin:calculate", group: ones(25_001) }, "25000 values"],
    ["unknown fields", fields(10_001), "10000 keys"],
  ])("is refused before it is parsed, with the bound: too many %s", async (_what, body, bound) => {
    const answer = await bot.call(body as never);
    expect([answer.status, (answer.json as unknown as { code: string }).code]).toEqual([400, "invalid_request"]);
    expect(JSON.stringify(answer.json)).toContain(bound);
  });

  it("is refused at /mcp with a protocol error", async () => {
    const params = { name: "calculate", arguments: { list: ones(25_001) } };
    const request = new Request("http://127.0.0.1:3000/mcp", {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", host: "127.0.0.1:3000" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    const answer = await mcpWith(production)(request);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: { code: -32_700, message: expect.stringContaining("25000 values") as string },
    });
  });

  it("is refused at an admin route", async () => {
    const answer = await ask(list.POST, "POST", "/api/admin/groups", {
      params: { resource: "groups" },
      body: fields(10_001),
    });
    expect([answer.status, answer.json.code]).toEqual([400, "invalid_request"]);
    expect(JSON.stringify(answer.json)).toContain("10000 keys");
  });

  it("of fewer values reaches the pipeline, which reports the error in its arguments", async () => {
    const answer = await bot.call({ tool_id: "builtin:calculate", arguments: { list: ones(20_000) } });
    expect(answer.json.error?.code).toBe("invalid_arguments");
  });
});
