import type { Json, JsonObject } from "@/lib/access/model/configuration";
import type { ManifestEntry } from "@/lib/manifest/entries";
import { isObject, resolveRef } from "@/lib/manifest/json-schema";
import { toldDescription } from "@/lib/manifest/told-description";

/** A tool of the Model Context Protocol (2025-11-25, `tools/list`). */
export interface McpTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
}

const MAX_CHAIN = 10;

/**
 * An output schema as the protocol takes it (2025-11-25): its root says `type: object`, itself or through a reference.
 * `null` for every other: the answer is text alone.
 */
export function structuredSchema(schema: JsonObject | null): JsonObject | null {
  if (schema === null) return null;
  let root: Json | undefined = schema;
  for (let step = 0; isObject(root) && step < MAX_CHAIN; step += 1) {
    if (root["type"] === "object") return root === schema ? schema : { ...schema, type: "object" };
    if (root["type"] !== undefined) return null;
    root = resolveRef(root["$ref"], schema);
  }
  return null;
}

/** As `tools/list` answers it. The protocol wants schemas of type object. */
export function toMcp(entry: ManifestEntry): McpTool {
  const { tool, exposedName } = entry.resolved;
  const outputSchema = structuredSchema(tool.outputSchema);
  const annotations = { ...tool.annotations } as JsonObject;
  return {
    name: exposedName,
    ...(tool.displayName === null ? {} : { title: tool.displayName }),
    description: toldDescription(entry),
    inputSchema: { ...tool.inputSchema, type: "object" },
    ...(outputSchema !== null && { outputSchema }),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
  };
}
