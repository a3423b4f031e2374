import type { Tool } from "@modelcontextprotocol/client";
import type { Json } from "@/lib/access/model/configuration";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import type { SourceRow } from "@/lib/resources/source";
import { asRead, HOUSE, readingRefused } from "@/lib/sources/import/reading";
import { maskResult } from "@/lib/calls/credentials/mask";
import { sharedMcpConnections, type McpConnections } from "@/lib/calls/mcp/connections";
import { toMcpFailure } from "@/lib/calls/mcp/failure";

/** What a server says about itself and its tools. */
export interface McpTools {
  /** For the admin who imports; agents never see it, nor the server's instructions. */
  readonly title: string | null;
  readonly tools: readonly Tool[];
}

/** @throws AppError `upstream_error`: more tools than an installation takes of one server */
function requireFew(tools: number, source: string): void {
  const most = env.MCP_TOOLS_PER_SOURCE;
  if (tools <= most) return;
  const told = `The server of \`${source}\` lists ${tools} tools; at most ${most} are imported (MCP_TOOLS_PER_SOURCE).`;
  throw new AppError("upstream_error", told);
}

/** Every tool of an MCP server, all pages. @throws AppError with a sentence for the admin */
export async function readMcpTools(
  source: SourceRow,
  connections: McpConnections = sharedMcpConnections(),
): Promise<McpTools> {
  let hidden: ReadonlySet<string> = new Set();
  try {
    return await connections.use(asRead(source), HOUSE, async (connection) => {
      hidden = connection.hidden;
      const tools = await connection.listTools();
      requireFew(tools.length, source.name);
      const server = connection.client.getServerVersion();
      const told = { title: (server?.title ?? server?.name ?? "").slice(0, 200), tools } as unknown as Json;
      const { title, tools: shown } = maskResult({ success: true, output: told }, [...hidden])
        .output as unknown as McpTools;
      return { title: title === "" ? null : title, tools: shown };
    });
  } catch (error) {
    const { error: failure, status } = toMcpFailure(error, hidden);
    if (status === 401 || status === 403) throw readingRefused(status, source);
    const { code, message } = failure;
    throw new AppError(code, message, { cause: error });
  }
}
