import { cut } from "@/lib/audit/record/redact";
import { AppError } from "@/lib/errors";
import { asRead, readingCaller, readingRefused, withRemedy } from "@/lib/sources/import/reading";
import { maskJsonText, maskWords } from "@/lib/calls/credentials/mask";
import { inTurns } from "@/lib/store/db/in-turns";
import type { McpSource } from "@/lib/calls/mcp/connect";
import { sharedMcpConnections } from "@/lib/calls/mcp/connections";
import { toMcpFailure } from "@/lib/calls/mcp/failure";

/** A server's title and tools. */
export interface McpListing {
  /** For the admin who imports. Agents see neither the title nor the server's instructions. */
  readonly title: string | null;
  /** Each as JSON text, which a thread parses. */
  readonly tools: readonly string[];
}

/**
 * Reads every page of an MCP server's tools.
 *
 * @param person the id of the person who reads, or `null`
 * @throws AppError with a sentence for the admin
 */
export async function readMcpTools(source: McpSource, person: string | null): Promise<McpListing> {
  let hidden: ReadonlySet<string> = new Set();
  try {
    return await sharedMcpConnections().use(asRead(source), readingCaller(person), async (connection) => {
      hidden = connection.hidden;
      const tools = await connection.listTools();
      const server = connection.client.getServerVersion();
      const title = cut(maskWords(server?.title ?? server?.name ?? "", hidden), 200);
      const texts = [...hidden];
      const shown: string[] = [];
      for await (const tool of inTurns(tools)) shown.push(maskJsonText(tool, texts));
      return { title: title === "" ? null : title, tools: shown };
    });
  } catch (error) {
    const { error: failure, status } = toMcpFailure(error, hidden);
    if (failure.code === "authorization_needed") throw readingRefused(401, source, failure.message);
    if (status === 401 || status === 403) throw readingRefused(status, source);
    const { code, message } = failure;
    throw withRemedy(new AppError(code, message, { cause: error }), source.command === null ? "url" : "command");
  }
}
