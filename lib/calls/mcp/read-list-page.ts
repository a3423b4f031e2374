import { fromJson } from "@/lib/access/model/json";
import { AppError } from "@/lib/errors";

/** The text of a JSON-RPC message that answers `tools/list`, and the most tools that it may list. */
export interface ListPageInput {
  readonly text: string;
  readonly maxTools: number;
}

/** The message, with `HANDED_OVER` in place of its tools; `null` = the text is not JSON. */
export interface ReadListPage {
  readonly message: unknown;
}

/** The characters after which a batch of tools is handed over. */
const BATCH_CHARACTERS = 128 * 1024;

/**
 * Reads one page of a server's list of tools and hands over each tool as JSON text. Runs in a worker thread. Returns a page
 * that breaks the protocol's schema without its tools, so that the client reports the error.
 *
 * @throws AppError `upstream_error`: the page lists more tools than `maxTools`
 */
export async function readListPage(
  { text, maxTools }: ListPageInput,
  handOver: (tools: readonly string[]) => Promise<void>,
): Promise<ReadListPage> {
  const message = fromJson(text) ?? null;
  const result = (message as { readonly result?: { readonly tools?: unknown } } | null)?.result;
  const tools = result?.tools;
  if (tools === undefined) return { message };
  const withoutTools = { message: { ...(message as object), result: { ...result, tools: null } } };
  if (!Array.isArray(tools)) return withoutTools;
  if (tools.length > maxTools) throw tooManyTools(tools.length, maxTools);
  const { specTypeSchemas } = await import("@modelcontextprotocol/client");
  const checked = await specTypeSchemas.ListToolsResult["~standard"].validate(result);
  if (checked.issues !== undefined) return withoutTools;
  let batch: string[] = [];
  let size = 0;
  for (const tool of tools) {
    const json = JSON.stringify(tool);
    batch.push(json);
    size += json.length;
    if (size < BATCH_CHARACTERS) continue;
    await handOver(batch);
    batch = [];
    size = 0;
  }
  if (batch.length > 0) await handOver(batch);
  return { message: { ...(message as object), result: { ...result, tools: HANDED_OVER } } };
}

/** Stands in the message for the tools that were handed over. */
export const HANDED_OVER = "handed over";

/** The error for a server that lists more tools than the installation imports. */
export function tooManyTools(tools: number, maxTools: number): AppError {
  const message = `The server lists ${tools} tools or more; at most ${maxTools} are imported (MCP_TOOLS_PER_SOURCE).`;
  return new AppError("upstream_error", message);
}
