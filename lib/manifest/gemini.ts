import type { JsonObject } from "@/lib/access/configuration";
import type { ManifestEntry } from "@/lib/manifest/entries";
import { toldDescription } from "@/lib/manifest/told-description";

/** A function declaration of Google's Gemini API; its JSON Schema member takes the schema as it is. */
export function toGemini(entry: ManifestEntry): {
  readonly name: string;
  readonly description: string;
  readonly parametersJsonSchema: JsonObject;
} {
  const { tool, exposedName } = entry.resolved;
  return {
    name: exposedName,
    description: toldDescription(entry),
    parametersJsonSchema: { ...tool.inputSchema, type: "object" },
  };
}
