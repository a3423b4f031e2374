import { oncePer } from "@/lib/access/model/once-per";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import type { Parts } from "@/lib/access/model/parts";
import type { ManifestEntry } from "@/lib/manifest/entries";
import { isObject } from "@/lib/access/model/json";
import { resolveRef } from "@/lib/manifest/schema/json-schema";
import { descriptionWithConditions } from "@/lib/manifest/description-with-conditions";

/** A tool of the Model Context Protocol (2025-11-25 and 2026-07-28, `tools/list`). */
interface McpTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
  readonly icons?: readonly object[] | undefined;
  readonly _meta?: object | undefined;
}

const MAX_CHAIN = 10;

/** The allowed root of an output schema: objects only (up to 2025-11-25), or any JSON value (2026-07-28, SEP-2106). */
export type OutputRoot = "object" | "any";

/**
 * The output schema in the form of a protocol revision. Up to 2025-11-25 its root must say `type: object`, directly or
 * through a reference. Any other schema gives `null`, and the answer is text alone.
 */
export function structuredSchema(schema: JsonObject | null, root: OutputRoot): JsonObject | null {
  if (schema === null) return null;
  const { type } = rootOf(schema);
  if (type === "object") return schema["type"] === "object" ? schema : { ...schema, type: "object" };
  return root === "any" ? schema : null;
}

/** Whether an output schema states the types at its root, and `null` is not one of them. */
export function refusesNull(schema: JsonObject): boolean {
  const { type } = rootOf(schema);
  return typeof type === "string"
    ? type !== "null"
    : Array.isArray(type) && !(type as readonly Json[]).includes("null");
}

/** Follows references until a schema states a type; an unresolvable reference states none. */
function rootOf(schema: JsonObject): JsonObject {
  let root: Json | undefined = schema;
  for (let step = 0; isObject(root) && step < MAX_CHAIN; step += 1) {
    if (root["type"] !== undefined) return root;
    root = resolveRef(root["$ref"], schema);
  }
  return {};
}

const TOOLS: Record<OutputRoot, (entry: ManifestEntry) => McpTool> = {
  object: oncePer((entry: ManifestEntry) => toMcp(entry, "object")),
  any: oncePer((entry: ManifestEntry) => toMcp(entry, "any")),
};
const TEXTS: Record<OutputRoot, (entry: ManifestEntry) => string> = {
  object: oncePer((entry: ManifestEntry) => JSON.stringify(toMcp(entry, "object"))),
  any: oncePer((entry: ManifestEntry) => JSON.stringify(toMcp(entry, "any"))),
};

/** The tools of a list. Lists that share an entry share its tool. */
export function toMcpTools(entries: readonly ManifestEntry[], root: OutputRoot): McpTool[] {
  return entries.map(TOOLS[root]);
}

/** The JSON of each of `toMcpTools`, in parts. Lists that share an entry share its text. */
export function* mcpTexts(entries: readonly ManifestEntry[], root: OutputRoot): Parts<string[]> {
  const texts: string[] = [];
  for (const entry of entries) {
    texts.push(TEXTS[root](entry));
    yield;
  }
  return texts;
}

/** A tool as `tools/list` answers it. The protocol requires input schemas of type object. */
export function toMcp(entry: ManifestEntry, root: OutputRoot = "object"): McpTool {
  const { tool, exposedName } = entry.resolved;
  const outputSchema = structuredSchema(tool.outputSchema, root);
  const annotations = { ...tool.annotations } as JsonObject;
  return {
    name: exposedName,
    ...(tool.displayName === null ? {} : { title: tool.displayName }),
    description: descriptionWithConditions(entry),
    inputSchema: { ...tool.inputSchema, type: "object" },
    ...(outputSchema !== null && { outputSchema }),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    ...tool.mcp,
  };
}
