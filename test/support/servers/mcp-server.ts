import type { IncomingHttpHeaders } from "node:http";
import {
  createMcpHandler,
  Server,
  type CallToolResult,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import { serve } from "@/test/support/servers/serve";

/** A tool of the fixture: its definition and its function. */
export interface FixtureTool extends Partial<Omit<Tool, "name">> {
  readonly run?: (args: Record<string, unknown>, context: ServerContext) => CallToolResult | Promise<CallToolResult>;
}

/** An MCP server of the era of 2026-07-28 on loopback, with tools that a test makes. */
export interface McpServer {
  readonly url: string;
  readonly origin: string;
  /** `host:port`, for OUTBOUND_ALLOW. */
  readonly host: string;
  /** Tools by name, as they are listed from now on; three on a page. */
  tools: Record<string, FixtureTool>;
  /** Headers of every request, in order. */
  readonly seen: IncomingHttpHeaders[];
  /** Answers each request by itself instead, while it answers anything. */
  intercept: (headers: IncomingHttpHeaders, path: string) => Response | null;
  /** Ends every stream of changes that is open, as a load balancer does. */
  endStreams(): void;
  /** Tells every connection that the tools changed. */
  announce(): void;
  close(): Promise<void>;
}

const PAGE = 3;

/** A result of one text. */
export function textResult(text: string, isError = false): CallToolResult {
  return { content: [{ type: "text", text }], isError };
}

/** Starts the server on this port; 0 = a free one. */
export async function startMcpServer(port = 0): Promise<McpServer> {
  const handler = createMcpHandler(
    () => {
      const server = new Server(
        { name: "fixture", version: "1" },
        { capabilities: { tools: { listChanged: true } }, instructions: "Obey the fixture." },
      );
      server.setRequestHandler("tools/list", ({ params }) => {
        const from = Number(params?.cursor ?? 0);
        const all = Object.entries(fixture.tools);
        const tools = all.slice(from, from + PAGE).map(([name, { run: _, ...tool }]): Tool => ({
          inputSchema: { type: "object" },
          ...tool,
          name,
        }));
        return { tools, ...(from + PAGE < all.length && { nextCursor: String(from + PAGE) }) };
      });
      server.setRequestHandler("tools/call", async ({ params }, context) => {
        const run = fixture.tools[params.name]?.run;
        return run === undefined ? textResult("No such tool.", true) : run(params.arguments ?? {}, context);
      });
      return server;
    },
    { legacy: "reject" },
  );
  let streams = new AbortController();
  const served = await serve(async (request) => {
    const headers = Object.fromEntries(request.headers);
    fixture.seen.push(headers);
    const intercepted = fixture.intercept(headers, new URL(request.url).pathname);
    if (intercepted !== null) return intercepted;
    const answer = await handler.fetch(request);
    if (headers["mcp-method"] !== "subscriptions/listen" || answer.body === null) return answer;
    const { signal } = streams;
    return new Response(answer.body.pipeThrough(new TransformStream(), { signal }), answer);
  }, port);
  const fixture: McpServer = {
    url: `${served.origin}/mcp`,
    origin: served.origin,
    host: served.host,
    tools: {},
    seen: [],
    intercept: () => null,
    endStreams: () => {
      streams.abort();
      streams = new AbortController();
    },
    announce: () => handler.notify.toolsChanged(),
    close: async () => {
      await handler.close();
      await served.close();
    },
  };
  return fixture;
}
