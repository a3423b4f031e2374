import { isSpecType, type CallToolResult, type ContentBlock } from "@modelcontextprotocol/server";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { refusesNull, structuredSchema, type OutputRoot } from "@/lib/manifest/mcp";
import type { CallOutput } from "@/lib/contracts/agents/agent-api";
import type { ToolRow } from "@/lib/resources/tool";
import type { Answer } from "@/lib/calls/pipeline/answer";

/** Where in a result's `_meta` our own facts about the call are. */
export const CALL_META = "quartermaster/call";

/**
 * A call's answer as a result of `tools/call` (MCP 2025-11-25 and 2026-07-28, Tools). A failure is a result with `isError`
 * whose text begins with our code, for the model; the code and what else a program reads are in `_meta`. `tool` is
 * `null` when it is not there any more.
 *
 * @param root which structured content the client takes
 */
export function toCallResult({ output }: Answer, tool: ToolRow | null, root: OutputRoot): CallToolResult {
  const _meta = toMeta(output);
  if (output.error !== undefined) return { ...toComplaint(output.error), _meta };
  const value = (output.output ?? null) as Json;
  const schema = structureOf(tool, root);
  if (schema !== null) {
    const isMissing = schema["type"] === "object" ? !isObject(value) : value === null && refusesNull(schema);
    const unfit = output.output_warning?.message ?? (isMissing ? "The call succeeded without content." : null);
    if (unfit !== null) return { ...toUnfit(output, unfit), _meta };
  }
  const { content, ...result } = schema === null ? toContent(value, tool) : toStructured(value);
  return { ...result, content: [...content, ...(blocksOf(output.content ?? []) ?? [])], _meta };
}

/**
 * The answer of a call that has not ended and that nobody waits for here. An error where the tool has an output schema:
 * clients throw away a result without the structured content that the schema promises.
 */
export function toOpenResult({ output }: Answer, tool: ToolRow | null): CallToolResult {
  const text = `${output.status}: A person has to approve this call (${output.call_id}). It has not run yet, and will when it is approved: do not repeat it. Its result will be at GET /api/agents/calls/${output.call_id}.`;
  return {
    content: [{ type: "text", text }],
    ...(structureOf(tool, "object") !== null && { isError: true }),
    _meta: toMeta(output),
  };
}

/** What programs read of a call, besides its content. */
export function toMeta({ call_id, status, state, revision, error, output_warning }: CallOutput): {
  readonly [CALL_META]: object;
} {
  const facts = { call_id, status, state, revision, ...(output_warning !== undefined && { output_warning }) };
  if (error === undefined) return { [CALL_META]: facts };
  const { code, retryable, details } = error;
  return { [CALL_META]: { ...facts, error: { code, retryable, ...(details !== undefined && { details }) } } };
}

function toComplaint({ code, message }: NonNullable<CallOutput["error"]>): CallToolResult {
  return { content: [{ type: "text", text: `${code}: ${message}` }], isError: true };
}

/**
 * An answer that does not fit the output schema. Clients throw away a result whose structured content does not fit, or
 * that has none, unless it has `isError`: so it has, and its text begins with what happened.
 */
function toUnfit({ output, content }: CallOutput, message: string): CallToolResult {
  const text = `output_warning: ${message} Do not repeat the call.`;
  const answer = typeof output === "string" ? output : JSON.stringify(output ?? null);
  return {
    content: [{ type: "text", text }, { type: "text", text: answer }, ...(blocksOf(content ?? []) ?? [])],
    isError: true,
  };
}

/** A value that fits an output schema: as structure, and as text for clients that read no structure. */
function toStructured(value: Json): CallToolResult {
  return { content: [textOf(value)], structuredContent: value as Record<string, Json> };
}

/** An upstream's content blocks as they came; whatever else it is as text. */
function toContent(value: Json, tool: ToolRow | null): CallToolResult {
  const blocks = tool?.run?.kind === "mcp" ? blocksOf(value) : null;
  return { content: blocks ?? (value === null ? [] : [textOf(value)]) };
}

function textOf(value: Json): ContentBlock {
  return { type: "text", text: typeof value === "string" ? value : JSON.stringify(value) };
}

/** As the list says (lib/manifest/mcp.ts); the pipeline has held the output to the schema. */
function structureOf(tool: ToolRow | null, root: OutputRoot): JsonObject | null {
  return structuredSchema((tool?.outputSchema ?? null) as JsonObject | null, root);
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function blocksOf(value: Json): ContentBlock[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const blocks: readonly unknown[] = value;
  return blocks.every(isSpecType.ContentBlock) ? [...(blocks as readonly ContentBlock[])] : null;
}
