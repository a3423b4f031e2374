import type { CallToolResult } from "@modelcontextprotocol/client";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { isSameJson } from "@/lib/access/model/canonical";
import { isDeeper } from "@/lib/access/model/json";
import { AppError } from "@/lib/errors";
import type { RunResult } from "@/lib/calls/pipeline/contract";
import { withPlainAddresses } from "@/lib/calls/mcp/addresses";
import { toShown } from "@/lib/calls/mcp/failure";
import { MAX_ANSWER_DEPTH } from "@/lib/calls/runners/sequence";

/**
 * The output of an MCP tool: its structured content, with the content blocks that add to it as `content`;
 * else the text when the answer is one text, else the list of content blocks (text, images, audio,
 * resources) without addresses that no agent may open. No content is `null`. Drops `_meta`, which is for the client (MCP 2025-11-25,
 * Tools, Tool Result).
 *
 * @throws AppError `result_too_large`
 */
export function toMcpOutput({
  structuredContent,
  content,
}: Pick<CallToolResult, "structuredContent" | "content">): Pick<RunResult, "output" | "content"> {
  const bare = content.map(({ _meta, ...block }) => block) as unknown as readonly JsonObject[];
  const blocks = requireShallow(bare).map(withPlainAddresses);
  if (structuredContent !== undefined) {
    const output = requireShallow(structuredContent as Json);
    const more = blocks.filter((block) => !isRepetition(block, output));
    return { output, ...(more.length > 0 && { content: more }) };
  }
  const [first, ...others] = blocks;
  if (first === undefined) return { output: null };
  if (others.length === 0 && typeof first["text"] === "string") return { output: first["text"] };
  return { output: blocks };
}

/** Whether a text repeats the structured content, for clients that do not read it (MCP, Tools, Structured Content). */
function isRepetition({ type, text }: JsonObject, output: Json): boolean {
  if (type !== "text" || typeof text !== "string") return false;
  try {
    return isSameJson(JSON.parse(text) as Json, output);
  } catch {
    // A text that is not JSON adds to the structured content.
    return false;
  }
}

/** The error message of a failed tool: its texts, as agents see error messages. */
export function toMcpComplaint({ content }: Pick<CallToolResult, "content">, hidden: Iterable<string>): string {
  const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  return toShown(texts.join("\n"), hidden) || "The tool failed.";
}

function requireShallow<Value extends Json>(value: Value): Value {
  if (isDeeper(value, MAX_ANSWER_DEPTH))
    throw new AppError("result_too_large", `The tool's answer is nested deeper than ${MAX_ANSWER_DEPTH} levels.`);
  return value;
}
