import { serve } from "@/test/support/servers/serve";

/** An MCP server (2025-11-25) on loopback that lists many tools. */
export interface ListedTools {
  readonly url: string;
  /** `host:port`, for OUTBOUND_ALLOW. */
  readonly host: string;
  readonly close: () => Promise<void>;
}

/** Starts a server with `count` tools, `perPage` on a page. Each call returns 1 MB of small blocks. */
export async function listTools(count: number, perPage: number): Promise<ListedTools> {
  const pages: object[][] = [];
  for (let at = 0; at < count; at += perPage)
    pages.push(Array.from({ length: Math.min(perPage, count - at) }, (_, index) => toolOf(at + index)));
  const answerTo = (method: string, cursor: unknown): object => {
    if (method === "initialize") return { result: INITIALIZED };
    if (method === "tools/call") return { result: { content: BLOCKS } };
    if (method !== "tools/list") return { error: { code: -32_601, message: "no such method" } };
    const page = Number(cursor ?? 0);
    return { result: { tools: pages[page], ...(page + 1 < pages.length && { nextCursor: String(page + 1) }) } };
  };
  const served = await serve(async (request) => {
    if (request.method !== "POST") return new Response(null, { status: 405 });
    const { id, method, params } = (await request.json()) as Message;
    if (id === undefined) return new Response(null, { status: 202 });
    return Response.json({ jsonrpc: "2.0", id, ...answerTo(method, params?.cursor) });
  });
  return { url: `${served.origin}/mcp`, host: served.host, close: served.close };
}

interface Message {
  readonly id?: unknown;
  readonly method: string;
  readonly params?: { readonly cursor?: unknown };
}

const INITIALIZED = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "many", version: "1" },
};
const BLOCKS = Array.from({ length: 15_000 }, () => ({ type: "text", text: "some words, token=abc" }));

function toolOf(at: number): object {
  return {
    name: `tool_${at}`,
    description: "Does one thing of many. ".repeat(4),
    inputSchema: {
      type: "object",
      properties: { a: { type: "string", pattern: `^[a-z]{1,${1 + (at % 50)}}$` }, b: { type: "integer" } },
      required: ["a"],
    },
  };
}
