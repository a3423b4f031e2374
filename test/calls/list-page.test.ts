import { afterAll, describe, expect, it } from "vitest";
import { readListPageInThread, toolTexts } from "@/lib/calls/mcp/list-page";
import { closeThreads } from "@/lib/threads/run-in-thread";

afterAll(() => closeThreads());

const tool = (at: number) => ({ name: `tool ${at}`, description: "a\nb", inputSchema: { type: "object" } });
const page = (tools: unknown, more: object = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id: 7, result: { tools, ...more } });

/** The page that the client gets, and the tools made from it. */
async function read(text: string, most = 5_000) {
  const message = await readListPageInThread(text, most);
  const { tools, ...rest } = (message as unknown as { result: { tools: never } }).result;
  return { tools, rest, texts: toolTexts(tools) };
}

describe("a page of an MCP server's tools", () => {
  it("is parsed in a thread, and the client gets one placeholder for all its tools", async () => {
    const tools = Array.from({ length: 4_000 }, (_, at) => tool(at));
    const { tools: standIn, texts, rest } = await read(page(tools, { nextCursor: "2" }));
    expect(standIn).toHaveLength(1);
    expect(rest).toEqual({ nextCursor: "2" });
    expect(texts.map((text) => JSON.parse(text) as unknown)).toEqual(tools);
  });

  it("may be empty", async () => {
    expect((await read(page([]))).texts).toEqual([]);
  });

  it("is refused by its number of tools before any is handed over", async () => {
    await expect(readListPageInThread(page([tool(1), tool(2)]), 1)).rejects.toMatchObject({ code: "upstream_error" });
  });

  it("that the protocol's schema refuses is passed to the client, which refuses it", async () => {
    for (const tools of [[{ name: 1 }], "handed over", {}])
      expect((await readListPageInThread(page(tools), 5)) as unknown).toMatchObject({ result: { tools: null } });
  });

  it("that is an error is passed on unchanged, and a text that is not JSON is `null`", async () => {
    const error = { jsonrpc: "2.0", id: 7, error: { code: -32_601, message: "no" } };
    expect(await readListPageInThread(JSON.stringify(error), 5)).toEqual(error);
    expect(await readListPageInThread("no JSON", 5)).toBeNull();
  });

  it("cannot be faked by a server: its tools keep their own names", () => {
    const own = { name: "page", description: '{"name":"other"}', inputSchema: { type: "object" as const } };
    expect(toolTexts([own])).toEqual([JSON.stringify(own)]);
  });
});
