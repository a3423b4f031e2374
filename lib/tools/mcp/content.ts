import type { CallToolResult } from "@modelcontextprotocol/client";
import type { Json } from "@/lib/access/configuration";
import { isDeeper } from "@/lib/access/depth";
import { AppError } from "@/lib/errors";
import { maskWords } from "@/lib/tools/credentials/mask";

/** Deepest nesting of an answer: whatever walks it later may recurse. */
const MAX_DEPTH = 100;
/** How much of a server's complaint an agent is shown, in characters. */
const MAX_COMPLAINT = 2048;

/**
 * What an MCP tool answered as a tool's output: its structured content, else the text when there is nothing but one
 * text, else the list of content blocks (text, images, audio, resources) as they came; nothing is `null`. `_meta` stays
 * behind: it is between server and client (MCP 2025-11-25, Tools, Tool Result).
 *
 * @throws AppError `result_too_large`
 */
export function toMcpOutput({
  structuredContent,
  content,
}: Pick<CallToolResult, "structuredContent" | "content">): Json {
  if (structuredContent !== undefined) return requireShallow(structuredContent as Json);
  const [first, ...others] = content;
  if (first === undefined) return null;
  if (others.length === 0 && first.type === "text") return first.text;
  return requireShallow(content.map(({ _meta, ...block }) => block) as unknown as Json);
}

/** What a tool that failed says: its texts, bounded, without the texts in `hidden`. */
export function toMcpComplaint({ content }: Pick<CallToolResult, "content">, hidden: Iterable<string>): string {
  const text = maskWords(content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n"), hidden);
  if (text === "") return "The tool failed.";
  return text.length > MAX_COMPLAINT ? `${text.slice(0, MAX_COMPLAINT)}…` : text;
}

function requireShallow(value: Json): Json {
  if (isDeeper(value, MAX_DEPTH))
    throw new AppError("result_too_large", `The tool's answer is nested deeper than ${MAX_DEPTH} levels.`);
  return value;
}
