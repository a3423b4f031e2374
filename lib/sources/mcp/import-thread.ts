import { AppError } from "@/lib/errors";
import type { ToolInput } from "@/lib/resources/tool";
import type { McpListInput } from "@/lib/sources/mcp/import-mcp";
import type { ReadImport, TakeTools } from "@/lib/sources/openapi/import-thread";
import { runInThread, ThreadOverrun } from "@/lib/threads/run-in-thread";

/** Longest conversion of a server's list, in milliseconds. */
const TIMEOUT_MS = 60_000;

/**
 * Runs `importMcp` in a thread, because the server chooses the number and size of its tools.
 *
 * @throws AppError `invalid_request`, `overloaded`
 */
export async function importMcpInThread(input: McpListInput, take: TakeTools): Promise<ReadImport> {
  try {
    const work = { job: "mcp", input, deadlineMs: TIMEOUT_MS, take };
    return await runInThread<ReadImport, readonly ToolInput[]>(work);
  } catch (cause) {
    if (!(cause instanceof ThreadOverrun)) throw cause;
    throw new AppError(
      "invalid_request",
      "Reading the server's tools takes too much time or memory: let it list fewer or smaller ones.",
      { cause },
    );
  }
}
