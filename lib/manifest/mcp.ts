import type { Json, JsonObject } from "@/lib/access/model/configuration";
import type { ManifestEntry } from "@/lib/manifest/entries";
import { isObject, resolveRef } from "@/lib/manifest/json-schema";
import { toldDescription } from "@/lib/manifest/told-description";

/** A tool of the Model Context Protocol (2025-11-25 and 2026-07-28, `tools/list`). */
export interface McpTool {
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

/** Of which shape an output schema may be: objects alone (up to 2025-11-25), or any JSON value (2026-07-28, SEP-2106). */
export type OutputRoot = "object" | "any";

/**
 * An output schema as a revision of the protocol takes it. Up to 2025-11-25 its root says `type: object`, itself or through a
 * reference; any other is `null`, and the answer is text alone.
 */
export function structuredSchema(schema: JsonObject | null, root: OutputRoot): JsonObject | null {
  if (schema === null) return null;
  const { type } = rootOf(schema);
  if (type === "object") return schema["type"] === "object" ? schema : { ...schema, type: "object" };
  return root === "any" ? schema : null;
}

/** Whether an output schema, followed to its root, says which types it takes and `null` is none of them. */
export function refusesNull(schema: JsonObject): boolean {
  const { type } = rootOf(schema);
  return typeof type === "string"
    ? type !== "null"
    : Array.isArray(type) && !(type as readonly Json[]).includes("null");
}

/** What a schema refers to until one states a type; what leads nowhere states none. */
function rootOf(schema: JsonObject): JsonObject {
  let root: Json | undefined = schema;
  for (let step = 0; isObject(root) && step < MAX_CHAIN; step += 1) {
    if (root["type"] !== undefined) return root;
    root = resolveRef(root["$ref"], schema);
  }
  return {};
}

/** As `tools/list` answers it. The protocol wants input schemas of type object. */
export function toMcp(entry: ManifestEntry, root: OutputRoot = "object"): McpTool {
  const { tool, exposedName } = entry.resolved;
  const outputSchema = structuredSchema(tool.outputSchema, root);
  const annotations = { ...tool.annotations } as JsonObject;
  return {
    name: exposedName,
    ...(tool.displayName === null ? {} : { title: tool.displayName }),
    description: toldDescription(entry),
    inputSchema: { ...tool.inputSchema, type: "object" },
    ...(outputSchema !== null && { outputSchema }),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    ...tool.mcp,
  };
}
