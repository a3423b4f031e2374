import type { Json, JsonObject } from "@/lib/access/model/configuration";
import type { ManifestEntry } from "@/lib/manifest/entries";
import { isObject } from "@/lib/access/model/json";
import { typesOf } from "@/lib/manifest/schema/json-schema";
import { toOpenAiStrict } from "@/lib/manifest/schema/openai-strict";
import { plainRoot } from "@/lib/manifest/schema/plain-root";
import { mapSubschemas } from "@/lib/manifest/schema/subschemas";
import type { RenderedTool } from "@/lib/manifest/rendered";
import { descriptionWithConditions } from "@/lib/manifest/description-with-conditions";

/** A function in the form of both OpenAI interfaces. */
interface OpenAiFunction {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly strict: boolean;
}

/** A tool of OpenAI's Responses API. */
export function toOpenAi(entry: ManifestEntry, deferred: boolean): RenderedTool {
  const { tool, notes } = functionOf(entry);
  return { tool: { type: "function", ...tool, ...(deferred && { defer_loading: true }) }, notes };
}

/** A tool of OpenAI's Chat Completions API. */
export function toOpenAiChat(entry: ManifestEntry): RenderedTool {
  const { tool, notes } = functionOf(entry);
  return { tool: { type: "function", function: tool }, notes };
}

/** If strict mode cannot express a schema, the function is non-strict and keeps the full schema. */
function functionOf(entry: ManifestEntry): RenderedTool & { readonly tool: OpenAiFunction } {
  const { tool, exposedName } = entry.resolved;
  const strict = toOpenAiStrict(tool.inputSchema);
  const named = { name: exposedName, description: descriptionWithConditions(entry) };
  return strict.ok
    ? { tool: { ...named, parameters: strict.schema, strict: true }, notes: [] }
    : {
        tool: { ...named, parameters: withItems(plainRoot(tool.inputSchema)) as JsonObject, strict: false },
        notes: [{ kind: "not_strict", reason: strict.reason }],
      };
}

/**
 * Adds `items` to every array schema without it. Otherwise OpenAI answers 400, even in non-strict mode. Data in a schema,
 * such as `enum` and `default`, stays as it is, because the model sends these values.
 */
function withItems(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const inner = mapSubschemas(schema, withItems);
  return typesOf(schema).includes("array") && schema["items"] === undefined ? { ...inner, items: {} } : inner;
}
