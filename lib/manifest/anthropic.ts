import type { JsonObject } from "@/lib/access/model/configuration";
import type { AnthropicBudget } from "@/lib/manifest/schema/anthropic-strict";
import type { ManifestEntry } from "@/lib/manifest/entries";
import { entriesOf, listOf } from "@/lib/manifest/schema/json-schema";
import { plainRoot } from "@/lib/manifest/schema/plain-root";
import type { ManifestNote, RenderedTool } from "@/lib/manifest/rendered";
import { descriptionWithConditions } from "@/lib/manifest/description-with-conditions";

/** "Property keys should match pattern": a single other key makes the API answer 400 to the whole request. */
const PROPERTY = /^[a-zA-Z0-9_.-]{1,64}$/;

/** A tool of Anthropic's Messages API. */
export function toAnthropic(entry: ManifestEntry, deferred: boolean, budget: AnthropicBudget | null): RenderedTool {
  const { tool, exposedName } = entry.resolved;
  const offered = offeredOf(plainRoot(tool.inputSchema));
  if (offered.schema === null) return { tool: null, notes: offered.notes };
  // Converts the tool's own schema to strict mode. The offered schema only describes alternatives at the root, and
  // strict mode must not drop a constraint.
  const own = offeredOf(tool.inputSchema).schema ?? offered.schema;
  const strict = budget?.take(own) ?? { ok: false, reason: "Strict tools are counted over a whole list." };
  return {
    tool: {
      name: exposedName,
      description: descriptionWithConditions(entry),
      input_schema: strict.ok ? strict.schema : offered.schema,
      ...(strict.ok && { strict: true }),
      ...(deferred && { defer_loading: true }),
    },
    notes: [...offered.notes, ...(strict.ok ? [] : [{ kind: "not_strict", reason: strict.reason } as const])],
  };
}

/** The schema without properties that the API cannot name; `null` when the tool requires one of them. */
function offeredOf(schema: JsonObject): {
  readonly schema: JsonObject | null;
  readonly notes: readonly ManifestNote[];
} {
  const all = entriesOf(schema["properties"]);
  const refused = all.map(([name]) => name).filter((name) => !PROPERTY.test(name));
  if (refused.length === 0) return { schema, notes: [] };
  const required = refused.find((name) => listOf(schema["required"]).includes(name));
  const what = "has a name that the API does not accept";
  if (required !== undefined)
    return {
      schema: null,
      notes: [{ kind: "left_out", reason: `The required property ${JSON.stringify(required)} ${what}.` }],
    };
  const properties = Object.fromEntries(all.filter(([name]) => !refused.includes(name)));
  return {
    schema: { ...schema, properties },
    notes: refused.map((name) => ({ kind: "narrowed", reason: `The property ${JSON.stringify(name)} ${what}.` })),
  };
}
