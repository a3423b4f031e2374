import type { Json, JsonObject } from "@/lib/access/model/configuration";
import type { ManifestEntry } from "@/lib/manifest/entries";
import { isObject } from "@/lib/access/model/json";
import { entriesOf, jsonTypeOf, listOf, resolveRef } from "@/lib/manifest/schema/json-schema";
import { plainRoot } from "@/lib/manifest/schema/plain-root";
import type { RenderedTool } from "@/lib/manifest/rendered";
import { describeKeywords } from "@/lib/manifest/schema/schema-keywords";
import { descriptionWithConditions } from "@/lib/manifest/description-with-conditions";

/**
 * The JSON Schema keywords that the vendor documents (@google/genai, `responseJsonSchema`). Descriptions carry the
 * rest.
 */
const KEYWORDS: ReadonlySet<string> = new Set(
  `$defs $ref type format title description enum items prefixItems minItems maxItems minimum maximum
  anyOf oneOf properties additionalProperties required`.split(/\s+/),
);
const MAPS: ReadonlySet<string> = new Set(["$defs", "properties"]);

/** A function declaration of Google's Gemini API. */
export function toGemini(entry: ManifestEntry): RenderedTool {
  const { tool, exposedName } = entry.resolved;
  return {
    tool: {
      name: exposedName,
      description: descriptionWithConditions(entry),
      parametersJsonSchema: new Documented(plainRoot(tool.inputSchema), tool.inputSchema).whole(),
    },
    notes: [],
  };
}

const SCHEMAS: ReadonlySet<string> = new Set(["items", "prefixItems", "anyOf", "oneOf", "additionalProperties"]);
const DEFINITION = /^#\/\$defs\/([^/]+)$/;

/** A schema in the vendor's keywords. All its references lead to `$defs`, the only place that the vendor documents. */
class Documented {
  readonly #schema: JsonObject;
  readonly #root: JsonObject;
  /** Names of definitions, by the references that lead to them. */
  readonly #names = new Map<string, string>();
  /** Names that no new definition may have. */
  readonly #taken: Set<string>;
  readonly #added: (readonly [name: string, schema: Json])[] = [];

  /** @param root the tool's own schema, which resolves references */
  constructor(schema: JsonObject, root: JsonObject) {
    this.#schema = schema;
    this.#root = root;
    this.#taken = new Set(entriesOf(root["$defs"]).map(([name]) => name));
  }

  whole(): JsonObject {
    const schema = this.#documented(this.#schema) as JsonObject;
    // An added definition may refer to more definitions, which are added after it.
    const added: [string, Json][] = [];
    for (const [name, inner] of this.#added) added.push([name, this.#documented(inner)]);
    if (added.length === 0) return schema;
    return { ...schema, $defs: { ...(schema["$defs"] as JsonObject | undefined), ...Object.fromEntries(added) } };
  }

  #documented(schema: Json): Json {
    if (Array.isArray(schema)) return schema.map((inner: Json) => this.#documented(inner));
    if (!isObject(schema)) return schema;
    const { $ref } = schema;
    // The vendor allows no sibling of a reference.
    if ($ref !== undefined) return this.#reference($ref);
    const stated = withEnum(schema);
    const dropped = Object.keys(stated).filter((keyword) => !KEYWORDS.has(keyword));
    const kept = Object.entries(stated).filter(([keyword]) => KEYWORDS.has(keyword));
    return {
      ...Object.fromEntries(kept.map(([keyword, value]) => [keyword, this.#inner(keyword, value)])),
      ...describeKeywords(stated, dropped),
    };
  }

  #inner(keyword: string, value: Json): Json {
    if (MAPS.has(keyword))
      return Object.fromEntries(entriesOf(value).map(([name, schema]) => [name, this.#documented(schema)]));
    return SCHEMAS.has(keyword) ? this.#documented(value) : value;
  }

  /**
   * An unresolvable reference becomes a schema that accepts anything: the API would refuse the whole request otherwise.
   */
  #reference($ref: Json): JsonObject {
    const found = resolveRef($ref, this.#root);
    if (typeof $ref !== "string" || found === undefined) return {};
    if (DEFINITION.test($ref)) return { $ref };
    const known = this.#names.get($ref);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const name = this.#freeName($ref);
    this.#names.set($ref, name);
    this.#added.push([name, $ref === "#" ? this.#itself() : found]);
    return { $ref: `#/$defs/${name}` };
  }

  /** Adds the whole schema as one of its definitions. */
  #itself(): JsonObject {
    const { $defs: _, ...rest } = plainRoot(this.#root);
    return rest;
  }

  #freeName($ref: string): string {
    const wanted = $ref.slice($ref.lastIndexOf("/") + 1).replaceAll(/[^A-Za-z0-9_.-]/g, "") || "it";
    for (let name = wanted, at = 2; ; at += 1) {
      if (!this.#taken.has(name)) {
        this.#taken.add(name);
        return name;
      }
      name = `${wanted}_${at}`;
    }
  }
}

/**
 * The vendor's `enum` holds strings and numbers: a `const` of these becomes an `enum`, and descriptions carry other
 * values.
 */
function withEnum({ enum: values, const: only, ...schema }: JsonObject): JsonObject {
  const all = only === undefined ? listOf(values) : [only];
  if (all.length === 0) return schema;
  const isStated = all.every((value) => ["string", "number"].includes(jsonTypeOf(value)));
  return isStated ? { ...schema, enum: all } : { ...schema, values: all };
}
