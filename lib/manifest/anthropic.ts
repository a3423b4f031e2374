import type { JsonObject } from "@/lib/access/configuration";
import type { ManifestEntry } from "@/lib/manifest/entries";
import { toldDescription } from "@/lib/manifest/told-description";

/** A tool of Anthropic's Messages API. */
export function toAnthropic(entry: ManifestEntry): {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonObject;
} {
  const { tool, exposedName } = entry.resolved;
  return {
    name: exposedName,
    description: toldDescription(entry),
    input_schema: { ...tool.inputSchema, type: "object" },
  };
}
