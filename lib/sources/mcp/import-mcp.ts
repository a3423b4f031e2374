import type { Tool } from "@modelcontextprotocol/client";
import type { JsonObject } from "@/lib/access/model/configuration";
import { storable } from "@/lib/access/model/storable";
import { mcpExtras, mcpIcon } from "@/lib/resources/parts/mcp-extras";
import { toolInput, type ToolInput } from "@/lib/resources/tool";
import { hiddenSentences } from "@/lib/sources/drift/assess-change";
import { SecretMask } from "@/lib/sources/import/mask-secrets";
import { toolDescription } from "@/lib/sources/import/tool-description";
import { mcpToolKey } from "@/lib/sources/import/upstream-key";
import { keepSchema } from "@/lib/sources/mcp/keep-schema";
import type { McpListing } from "@/lib/sources/mcp/read-tools";
import { Findings } from "@/lib/sources/openapi/finding";
import { TOO_LARGE } from "@/lib/sources/openapi/fit-schema";
import type { Imported } from "@/lib/sources/openapi/import-openapi";
import { isObject } from "@/lib/access/model/json";
import { nameOperations } from "@/lib/sources/openapi/operation-names";
import { maskSecretShapes } from "@/lib/telemetry/secret-shapes";

const MAX_ICONS = 8;
/** The texts of a listed tool that the imported one shows. */
const MASKED = ["title", "description", "annotations", "_meta", "icons"] as const;

/** A server's tools and its title. */
interface McpTools {
  readonly title: string | null;
  readonly tools: readonly Tool[];
}

/**
 * Turns every tool of an MCP server into a tool of the source. Pure: the same list and names give the same tools. Schemas
 * are untrusted, so they are cleaned and bounded like those of OpenAPI. A tool that cannot be imported is a finding.
 *
 * @param known the operation names of stored tools by `mcpToolKey`; they stay
 */
export function importMcp({ title, tools }: McpTools, source: string, known: ReadonlyMap<string, string>): Imported {
  const findings = new Findings();
  const unique = new Map(tools.map((tool) => [tool.name, tool]));
  if (unique.size < tools.length) findings.add("", "the server lists some names twice: the last one is used");
  const names = nameOperations(
    source,
    // A tool's id is in every log row of its calls.
    [...unique.keys()].map((name) => ({ method: "TOOL", path: name, operationId: maskSecretShapes(name) })),
    known,
  );
  const secrets = new SecretMask();
  const imported = [...unique.values()].flatMap((listed) => {
    const name = names.get(mcpToolKey(listed.name)) ?? listed.name;
    const note: Note = (message) => findings.add(listed.name.slice(0, 200), message);
    const { whole, masked } = secrets.members(listed, MASKED);
    const read = toTool(whole, `${source}:${name}`, note);
    if (read === null) return [];
    const { tool, notes } = secrets.tool(read, masked);
    notes.forEach(note);
    return tool;
  });
  return {
    title: title === null ? null : maskSecretShapes(title),
    tools: imported,
    findings: findings.all,
    suggestedAuth: [],
    server: null,
  };
}

/** The input of `importMcp`, with tools as JSON text. */
export interface McpListInput {
  readonly list: McpListing;
  readonly source: string;
  readonly known: ReadonlyMap<string, string>;
}

/** Tools per batch. */
const BATCH_SIZE = 50;

/** Like `importMcp`, but passes the tools on in batches. Runs in a thread. */
export async function importMcpInParts(
  { list, source, known }: McpListInput,
  hand: (tools: readonly ToolInput[]) => Promise<void>,
): Promise<Omit<Imported, "tools">> {
  const listed = { title: list.title, tools: list.tools.map((text) => JSON.parse(text) as Tool) };
  const { tools, ...rest } = storable(importMcp(listed, source, known));
  for (let at = 0; at < tools.length; at += BATCH_SIZE) await hand(tools.slice(at, at + BATCH_SIZE));
  return rest;
}

type Note = (message: string) => void;

function toTool(tool: Tool, id: string, note: Note): ToolInput | null {
  const input = keepSchema(tool.inputSchema as JsonObject, note);
  if (input.pruned) note(TOO_LARGE);
  const title = (tool.title ?? tool.annotations?.title)?.slice(0, 200);
  const parsed = toolInput.safeParse({
    id,
    displayName: title ?? null,
    description: toolDescription(tool.description?.trim() || maskSecretShapes(tool.name), input.pruned),
    inputSchema: { ...input.schema, type: "object" },
    outputSchema: outputSchema(tool, note),
    annotations: annotations(tool, title),
    mcp: extras(tool, note),
    // Without `readOnlyHint`, a tool may have side effects (MCP 2025-11-25, ToolAnnotations).
    hasSideEffects: tool.annotations?.readOnlyHint !== true,
    ...(isForApps(tool) && { enabled: false, disabledReason: FOR_APPS }),
    run: { kind: "mcp", tool: tool.name },
  });
  if (parsed.success && !parsed.data.enabled) note(`imported disabled: ${FOR_APPS}`);
  if (parsed.success) hiddenSentences(parsed.data).forEach(note);
  const problem = parsed.error?.issues[0];
  if (problem !== undefined) note(`left out: ${problem.path.join(".")}: ${problem.message}`);
  return parsed.data ?? null;
}

const FOR_APPS = "the server offers this tool only to its own user interface, not to models";

/** Whether only the server's own interface calls the tool: `_meta.ui.visibility` without `model` (MCP Apps 2026-01-26). */
function isForApps({ _meta }: Tool): boolean {
  const { ui } = (_meta ?? {}) as { readonly ui?: { readonly visibility?: unknown } | null };
  const visibility = ui?.visibility;
  return Array.isArray(visibility) && !visibility.includes("model");
}

function annotations({ annotations: stated }: Tool, title: string | undefined): ToolInput["annotations"] {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = stated ?? {};
  return {
    ...(title !== undefined && { title }),
    ...(readOnlyHint !== undefined && { readOnlyHint }),
    ...(destructiveHint !== undefined && { destructiveHint }),
    ...(idempotentHint !== undefined && { idempotentHint }),
    ...(openWorldHint !== undefined && { openWorldHint }),
  };
}

/** The metadata for programs, without parts that are too large or that no client could use. */
function extras({ _meta, icons }: Tool, note: Note): ToolInput["mcp"] {
  const shown = (icons ?? []).filter((icon) => mcpIcon.safeParse(icon).success).slice(0, MAX_ICONS);
  if (shown.length < (icons ?? []).length) note("an icon is left out: its address is neither https nor an image");
  const stated = {
    ...(_meta !== undefined && Object.keys(_meta).length > 0 && { _meta }),
    ...(shown.length > 0 && { icons: shown }),
  };
  if (Object.keys(stated).length === 0) return null;
  const parsed = mcpExtras.safeParse(stated);
  if (!parsed.success) note(`\`_meta\` and icons are left out: ${parsed.error.issues[0]?.message ?? ""}`);
  return parsed.data ?? null;
}

/** The output schema; `null` when it is too large, because a cut schema could refuse valid answers. */
function outputSchema({ outputSchema: stated }: Tool, note: Note): JsonObject | null {
  if (!isObject(stated as JsonObject | undefined)) return null;
  const { schema, pruned } = keepSchema(stated as JsonObject, note);
  if (!pruned) return schema;
  note("its output schema was left out: it is too large");
  return null;
}
