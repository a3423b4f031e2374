import { oncePer } from "@/lib/access/model/once-per";
import type { Json, McpExtras, Tool } from "@/lib/access/model/configuration";
import { hiddenCodes, withoutHidden } from "@/lib/access/model/hidden-characters";
import { isList, isObject } from "@/lib/access/model/json";
import { mapSubschemas, SCHEMA_KEYWORDS, SCHEMA_MAPS } from "@/lib/manifest/schema/subschemas";
import { withUnicodePatterns } from "@/lib/manifest/schema/unicode-patterns";

/**
 * A tool without the invisible characters of its texts, which a model reads and a reviewer does not see. Names of
 * properties and values of `const` and `enum` stay, because calls are checked against them. Patterns become those that
 * clients can compile. A tool of the catalogue is the same object until it changes.
 */
export const visibleTool = oncePer((tool: Tool): Tool => {
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
    tags: visibleJson(tags),
    ...(mcp !== null && { mcp: visibleJson(mcp as Json) as McpExtras }),
  });
  return Object.keys(changes).length === 0 ? tool : { ...tool, ...changes };
});

/** A value without the invisible characters of every text and name inside; the same value when there are none. */
function visibleJson<T extends Json>(value: T): T {
  return hiddenCodes(value) === "" ? value : (stripped(value) as T);
}

function stripped(value: Json): Json {
  if (typeof value === "string") return withoutHidden(value);
  if (isList(value)) return value.map(stripped);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [withoutHidden(name), stripped(inner)]));
}

function seen(text: string): boolean {
  return withoutHidden(text) === text;
}

function changesOf(tool: Tool, texts: Partial<Tool>): Partial<Tool> {
  return Object.fromEntries(Object.entries(texts).filter(([field, value]) => tool[field as keyof Tool] !== value));
}

/**
 * Keywords whose names, patterns and values a call is checked against, and addresses inside the schema. Without a
 * character of theirs, a call could not follow them.
 */
const EXACT: ReadonlySet<string> = new Set(
  "const enum pattern required dependentRequired $ref $dynamicRef $recursiveRef $anchor $dynamicAnchor $id id".split(
    " ",
  ),
);

/** Returns the same value when nothing changes: most schemas hold no such character. */
function visibleSchema<T extends Json>(schema: T): T {
  if (!isObject(schema)) return schema;
  const inner = mapSubschemas(schema, visibleSchema);
  const entries = Object.entries(inner).flatMap(([keyword, value]): [string, Json][] => {
    if (EXACT.has(keyword) || SCHEMA_KEYWORDS.has(keyword) || SCHEMA_MAPS.has(keyword)) return [[keyword, value]];
    // No keyword of JSON Schema has such a name. Without its hidden characters it might become one.
    return seen(keyword) ? [[keyword, visibleJson(value)]] : [];
  });
  const isSame = entries.length === Object.keys(inner).length && entries.every(([at, value]) => value === inner[at]);
  return (isSame ? inner : Object.fromEntries(entries)) as T;
}
