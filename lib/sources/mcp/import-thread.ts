import type { ToolInput } from "@/lib/resources/tool";
import type { McpListInput } from "@/lib/sources/mcp/import-mcp";
import type { ReadImport, TakeTools } from "@/lib/sources/openapi/import-thread";
import { runInThread } from "@/lib/threads/run-in-thread";

/** Longest conversion of a server's list, in milliseconds. */
const TIMEOUT_MS = 60_000;

/**
 * Runs `importMcp` in a thread, because the server chooses the number and size of its tools.
 *
 * @throws AppError `invalid_request`, `overloaded`
 */
export async function importMcpInThread(input: McpListInput, take: TakeTools): Promise<ReadImport> {
  const message = "Reading the server's tools takes too much time or memory: let it list fewer or smaller ones.";
  return runInThread<ReadImport, readonly ToolInput[]>({
    job: "mcp",
    input,
    deadlineMs: TIMEOUT_MS,
    overrun: ["invalid_request", message],
    take,
  });
}
