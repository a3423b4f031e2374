import { isObject } from "@/lib/access/model/json";
import { isSpecType, type CallToolResult, type ContentBlock } from "@modelcontextprotocol/server";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { refusesNull, structuredSchema, type OutputRoot } from "@/lib/manifest/mcp";
import type { CallOutput } from "@/lib/contracts/agents/agent-api";
import type { ToolRow } from "@/lib/resources/tool";
import { withPlainAddresses } from "@/lib/calls/mcp/addresses";
import type { Answer } from "@/lib/calls/pipeline/answer";

/** The key in a result's `_meta` for the facts about the call that Quartermaster adds. */
export const CALL_META = "quartermaster/call";

/**
 * Turns a call's answer into a result of `tools/call` (MCP 2025-11-25 and 2026-07-28, Tools). A failure becomes `isError`
 * with our code at the start of its text, for the model; programs read `_meta`. `tool` is `null` when it no longer exists.
 *
 * @param root the kind of structured content that the client supports
 */
export function toCallResult({ output }: Answer, tool: ToolRow | null, root: OutputRoot): CallToolResult {
  const _meta = toMeta(output);
  if (output.error !== undefined) return { ...toErrorResult(output.error), _meta };
  const value = (output.output ?? null) as Json;
  const schema = structuredSchemaOf(tool, root);
  if (schema !== null) {
    const isMissing = schema["type"] === "object" ? !isObject(value) : value === null && refusesNull(schema);
    const mismatch = output.output_warning?.message ?? (isMissing ? "The call succeeded without content." : null);
    if (mismatch !== null) return { ...toMismatchResult(output, mismatch), _meta };
  }
  const { content, ...result } = schema === null ? toContent(value, tool) : toStructured(value);
  return { ...result, content: [...content, ...(blocksOf(output.content ?? []) ?? [])], _meta };
}

/**
 * The result of a call that waits for a person's approval, for a client that cannot repeat the request to wait for the
 * end. `isError` if the tool has an output schema: clients drop a result that lacks the structured content it requires.
 */
export function toWaitingResult({ output }: Answer, tool: ToolRow | null): CallToolResult {
  const text = `${output.status}: A person must approve this call (${output.call_id}). The call runs after the approval. Do not repeat it. Read the result at GET /api/agents/calls/${output.call_id}.`;
  return {
    content: [{ type: "text", text }],
    ...(structuredSchemaOf(tool, "object") !== null && { isError: true }),
    _meta: toMeta(output),
  };
}

/** The facts about a call that programs read, without its content. */
export function toMeta({ call_id, status, state, revision, error, output_warning }: CallOutput): {
  readonly [CALL_META]: object;
} {
  const facts = { call_id, status, state, revision, ...(output_warning !== undefined && { output_warning }) };
  if (error === undefined) return { [CALL_META]: facts };
  const { code, retryable, details } = error;
  return { [CALL_META]: { ...facts, error: { code, retryable, ...(details !== undefined && { details }) } } };
}

function toErrorResult({ code, message }: NonNullable<CallOutput["error"]>): CallToolResult {
  return { content: [{ type: "text", text: `${code}: ${message}` }], isError: true };
}

/**
 * A result that does not match the output schema. Clients drop a result with missing or wrong structured content unless
 * `isError` is set. So this function sets it and says at the start of the text what happened.
 */
function toMismatchResult({ output, content }: CallOutput, message: string): CallToolResult {
  const text = `output_warning: ${message} Do not repeat the call.`;
  const answer = typeof output === "string" ? output : JSON.stringify(output ?? null);
  return {
    content: [{ type: "text", text }, { type: "text", text: answer }, ...(blocksOf(content ?? []) ?? [])],
    isError: true,
  };
}

/** A value that matches its output schema: as structured content, and as text for clients without support for it. */
function toStructured(value: Json): CallToolResult {
  return { content: [textOf(value)], structuredContent: value as Record<string, Json> };
}

/** Passes on content blocks of an MCP upstream, also when they are its structured content. Turns other values into text. */
function toContent(value: Json, tool: ToolRow | null): CallToolResult {
  const blocks = tool?.run?.kind === "mcp" ? blocksOf(value) : null;
  return { content: blocks ?? (value === null ? [] : [textOf(value)]) };
}

function textOf(value: Json): ContentBlock {
  return { type: "text", text: typeof value === "string" ? value : JSON.stringify(value) };
}

/** The output schema as the list shows it (lib/manifest/mcp.ts). The pipeline has checked the output against it. */
function structuredSchemaOf(tool: ToolRow | null, root: OutputRoot): JsonObject | null {
  return structuredSchema((tool?.outputSchema ?? null) as JsonObject | null, root);
}

/**
 * Reads a value as content blocks; `null` if it is something else. Removes addresses that clients must not show as links:
 * a block may come from structured content, which keeps all addresses because it is data.
 */
function blocksOf(value: Json): ContentBlock[] | null {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isObject)) return null;
  const blocks: readonly unknown[] = value.map(withPlainAddresses);
  return blocks.every(isSpecType.ContentBlock) ? [...(blocks as readonly ContentBlock[])] : null;
}
