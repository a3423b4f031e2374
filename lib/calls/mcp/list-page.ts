import { randomUUID } from "node:crypto";
import { parseJSONRPCMessage, type JSONRPCMessage, type Tool } from "@modelcontextprotocol/client";
import { HANDED_OVER, type ListPageInput, type ReadListPage } from "@/lib/calls/mcp/read-list-page";
import { runInThread } from "@/lib/threads/run-in-thread";

const MIB = 1024 * 1024;
/** The time limit for each started MiB of a page, in milliseconds. */
const DEADLINE_MS = 2_000;

/** The name of the tool that replaces a page's tools: random, so that no server can use it. */
const STAND_IN = randomUUID();

/**
 * The answer to `tools/list`, read in a thread: a page may hold thousands of tools, and parsing and checking them here
 * would hold up every agent. The message has one tool in place of the page's; `toolTexts`
 * returns the page's tools from it.
 *
 * @param maxTools the most tools of a page
 * @throws AppError `upstream_error`, `result_too_large`, `overloaded`
 */
export async function readListPageInThread(text: string, maxTools: number): Promise<JSONRPCMessage | null> {
  const tools: string[] = [];
  const { message } = await runInThread<ReadListPage, readonly string[]>({
    job: "mcpListPage",
    input: { text, maxTools } satisfies ListPageInput,
    deadlineMs: DEADLINE_MS * Math.max(1, Math.ceil(text.length / MIB)),
    overrun: ["result_too_large", "The server's list of tools takes too long to read."],
    take: (texts) => void tools.push(...texts),
  });
  if (message === null) return null;
  const read = parseJSONRPCMessage(message);
  if (!("result" in read) || read.result["tools"] !== HANDED_OVER) return read;
  const standIn: Tool = { name: STAND_IN, description: tools.join("\n"), inputSchema: { type: "object" } };
  return { ...read, result: { ...read.result, tools: [standIn] } };
}

/** The tools of a page, each as JSON text. */
export function toolTexts(tools: readonly Tool[]): readonly string[] {
  const [first] = tools;
  if (first?.name !== STAND_IN) return tools.map((tool) => JSON.stringify(tool));
  // JSON text contains no unescaped line feed.
  return first.description === "" ? [] : (first.description ?? "").split("\n");
}
