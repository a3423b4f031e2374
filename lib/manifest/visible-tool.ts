import type { Json, McpExtras, Tool } from "@/lib/access/model/configuration";
import { withoutHidden } from "@/lib/access/model/hidden-characters";
import { isObject } from "@/lib/access/model/json";
import { withUnicodePatterns } from "@/lib/manifest/schema/unicode-patterns";

/** Tools as models and clients read them. A tool of the catalogue is the same object until it changes. */
const visible = new WeakMap<Tool, Tool>();

/**
 * A tool without the invisible characters of its texts, which a model reads and a reviewer does not see. Names of
 * properties and values of `const`, `enum`, `default` and `examples` stay, because calls are checked against them.
 * Patterns become those that clients can compile.
 */
export function visibleTool(tool: Tool): Tool {
  const known = visible.get(tool);
  if (known !== undefined) return known;
  const { displayName, description, inputSchema, outputSchema, annotations, tags, mcp = null } = tool;
  const shown = (text: string | null) => (text === null ? null : withoutHidden(text));
  const { title } = annotations;
  const changes = changesOf(tool, {
    displayName: shown(displayName),
    description: withoutHidden(description),
    category: shown(tool.category),
    version: shown(tool.version),
    path: shown(tool.path),
    inputSchema: withUnicodePatterns(visibleSchema(inputSchema)),
    outputSchema: outputSchema === null ? null : withUnicodePatterns(visibleSchema(outputSchema)),
    annotations: title === undefined || seen(title) ? annotations : { ...annotations, title: withoutHidden(title) },
    tags: tags.every(seen) ? tags : tags.map(withoutHidden),
    ...(mcp !== null && { mcp: visibleJson(mcp) }),
  });
  const result = Object.keys(changes).length === 0 ? tool : { ...tool, ...changes };
  visible.set(tool, result);
  return result;
}

/** JSON text holds such characters unescaped, and none of them is part of JSON's syntax. */
function visibleJson(value: McpExtras): McpExtras {
  const text = JSON.stringify(value);
  return seen(text) ? value : (JSON.parse(withoutHidden(text)) as McpExtras);
}

function seen(text: string): boolean {
  return withoutHidden(text) === text;
}

function changesOf(tool: Tool, texts: Partial<Tool>): Partial<Tool> {
  return Object.fromEntries(Object.entries(texts).filter(([field, value]) => tool[field as keyof Tool] !== value));
}

/** Keywords whose text a model reads and no call is checked against. */
const TEXTS: ReadonlySet<string> = new Set(["title", "description", "$comment"]);
/** Keywords that hold values, not schemas. */
const VALUES: ReadonlySet<string> = new Set(["const", "enum", "default", "examples"]);
/** Keywords whose members the schema's author names: a property may be called `default`. */
const NAMED: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
  "$defs",
  "definitions",
]);

/** Returns the same value when nothing changes: most schemas hold no such character. */
function visibleSchema<T extends Json>(value: T, isNamed = false): T {
  if (Array.isArray(value)) {
    const items = value.map((item) => visibleSchema(item));
    return items.some((item, at) => item !== value[at]) ? (items as Json as T) : value;
  }
  if (!isObject(value)) return value;
  let changed: Record<string, Json> | null = null;
  for (const [keyword, inner] of Object.entries<Json>(value)) {
    if (!isNamed && VALUES.has(keyword)) continue;
    const isText = !isNamed && typeof inner === "string" && TEXTS.has(keyword);
    const next = isText ? withoutHidden(inner) : visibleSchema(inner, !isNamed && NAMED.has(keyword));
    if (next !== inner) (changed ??= { ...value })[keyword] = next;
  }
  return (changed ?? value) as T;
}
