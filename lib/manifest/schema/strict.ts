import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { refuses } from "@/lib/manifest/schema/forced-nulls";
import { isObject } from "@/lib/access/model/json";
import { entriesOf, jsonTypeOf, listOf, References, resolveRef, typesOf } from "@/lib/manifest/schema/json-schema";
import { CONSTRAINTS, describeKeywords, typeOfAll } from "@/lib/manifest/schema/schema-keywords";

/** The abilities of a vendor's strict mode, as the vendor publishes them. */
export interface StrictRules {
  /** The constraints that the mode enforces; a schema with any other cannot be expressed. */
  readonly keywords: ReadonlySet<string>;
  /** The formats that the mode supports; descriptions carry others. */
  readonly formats: ReadonlySet<string>;
  /** `nullable`: no property may be left out, so an optional property may be null instead. */
  readonly optional: "kept" | "nullable";
  readonly recursive: boolean;
  /** An additional check of a schema node: why it cannot be expressed, or `null`. */
  readonly problemOf: (schema: JsonObject) => string | null;
}

/** A schema in a vendor's strict mode, or one sentence why it cannot be expressed. */
export type Strict =
  | { readonly ok: true; readonly schema: JsonObject; readonly optional: number; readonly unions: number }
  | { readonly ok: false; readonly reason: string };

/**
 * Converts a tool's input schema to a vendor's strict mode. The tool's own schema accepts everything that the result
 * accepts, except nulls that `withoutForcedNulls` removes: objects become closed, never open, and no constraint is
 * dropped.
 */
export function toStrict(schema: JsonObject, rules: StrictRules): Strict {
  const conversion = new Conversion(schema, rules);
  try {
    const converted = conversion.object(schema, "");
    const defs = entriesOf(schema["$defs"]).map(([name, inner]) => [name, conversion.node(inner, `/$defs/${name}`)]);
    const { optional, unions } = conversion;
    const whole = { ...converted, ...(defs.length > 0 && { $defs: Object.fromEntries(defs) as JsonObject }) };
    return { ok: true, schema: whole, optional, unions };
  } catch (error) {
    if (error instanceof NotExpressible) return { ok: false, reason: error.message };
    throw error;
  }
}

class NotExpressible extends Error {
  constructor(what: string, path: string) {
    super(path === "" ? `${what}.` : `${what} at ${path}.`);
  }
}

const ABOUT_STRUCTURE: ReadonlySet<string> = new Set(["$defs", "required", "additionalProperties", "properties"]);

class Conversion {
  optional = 0;
  unions = 0;
  readonly #root: JsonObject;
  readonly #references: References;
  readonly #rules: StrictRules;

  constructor(root: JsonObject, rules: StrictRules) {
    this.#root = root;
    this.#references = new References(root);
    this.#rules = rules;
  }

  node(schema: Json | undefined, path: string): JsonObject {
    if (!isObject(schema)) throw new NotExpressible("anything is accepted", path);
    this.#requireKnown(schema, path);
    if (schema["$ref"] !== undefined) return this.#reference(schema, path);
    if (schema["anyOf"] !== undefined || schema["oneOf"] !== undefined) return this.#union(schema, path);
    const type = this.#typeOf(schema, path);
    if (type.includes("object")) return this.object(schema, path, type);
    if (type.includes("array")) return this.#array(schema, path, type);
    return this.#plain(schema, type);
  }

  object(schema: JsonObject, path: string, type: readonly string[] = ["object"]): JsonObject {
    this.#requireKnown(schema, path);
    const alternative = ["$ref", "anyOf", "oneOf"].find((keyword) => schema[keyword] !== undefined);
    if (alternative !== undefined) throw new NotExpressible(`\`${alternative}\` beside properties`, path);
    const { properties, required, additionalProperties } = schema;
    const names = entriesOf(properties).map(([name]) => name);
    const isOpen = additionalProperties !== undefined && additionalProperties !== false;
    // Tools without arguments have a root without properties.
    if (isOpen || (properties === undefined && additionalProperties === undefined && path !== ""))
      throw new NotExpressible("any properties are accepted", path);
    const unknown = listOf(required).find((name) => !names.includes(String(name)));
    if (unknown !== undefined) throw new NotExpressible(`\`${String(unknown)}\` is required and not described`, path);
    const members = entriesOf(properties).map(
      ([name, inner]) => [name, this.#member(inner, listOf(required).includes(name), `${path}/${name}`)] as const,
    );
    return {
      ...this.#plain(schema, type),
      properties: Object.fromEntries(members),
      required: this.#rules.optional === "nullable" ? names : [...listOf(required)],
      additionalProperties: false,
    };
  }

  #member(schema: Json, isRequired: boolean, path: string): JsonObject {
    const converted = this.node(schema, path);
    if (isRequired) return converted;
    this.optional += 1;
    if (this.#rules.optional === "kept" || !refuses(schema, "null", this.#root)) return converted;
    this.unions += 1;
    return orNull(converted);
  }

  #array(schema: JsonObject, path: string, type: readonly string[]): JsonObject {
    return { ...this.#plain(schema, type), items: this.node(schema["items"], `${path}/items`) };
  }

  #union(schema: JsonObject, path: string): JsonObject {
    const { anyOf, oneOf } = schema;
    const beside = Object.keys(schema).find(
      (key) => CONSTRAINTS.has(key) && !["anyOf", "oneOf", "$defs"].includes(key),
    );
    if (beside !== undefined || (anyOf !== undefined && oneOf !== undefined))
      throw new NotExpressible(`\`${beside ?? "oneOf"}\` beside alternatives`, path);
    const branches = listOf(anyOf ?? oneOf);
    if (oneOf !== undefined && !this.#areDisjoint(branches)) throw new NotExpressible("`oneOf`", path);
    if (this.#rules.optional === "nullable" && this.#isAmbiguous(branches))
      throw new NotExpressible("an optional property in one of several objects", path);
    this.unions += 1;
    const converted = branches.map((branch, at) =>
      this.node(branch, `${path}/${anyOf === undefined ? "oneOf" : "anyOf"}/${at}`),
    );
    return { ...this.#described(schema), anyOf: converted };
  }

  /** Whether no value matches two alternatives: `anyOf` then means the same as `oneOf`. */
  #areDisjoint(branches: readonly Json[]): boolean {
    const types = branches.map((branch) => (isObject(branch) && branch["$ref"] === undefined ? typesOf(branch) : []));
    return types.every((type) => type.length > 0) && new Set(types.flat()).size === types.flat().length;
  }

  /**
   * Whether several alternatives are objects or lists. The type of a value then does not identify its alternative, and
   * forced nulls in it could not be removed.
   */
  #isAmbiguous(branches: readonly Json[]): boolean {
    return (["object", "array"] as const).some((type) => {
      const possible = branches.filter((branch) => !refuses(branch, type, this.#root));
      return possible.length > 1 && possible.some((branch) => this.#forcesNull(branch, new Set()));
    });
  }

  #forcesNull(schema: Json | undefined, seen: Set<Json>): boolean {
    if (!isObject(schema) || seen.has(schema)) return false;
    seen.add(schema);
    const { $ref, properties, required, items, anyOf, oneOf } = schema;
    const members = entriesOf(properties);
    return (
      members.some(([name, inner]) => !listOf(required).includes(name) && refuses(inner, "null", this.#root)) ||
      [
        ...members.map(([, inner]) => inner),
        items,
        ...listOf(anyOf),
        ...listOf(oneOf),
        resolveRef($ref, this.#root),
      ].some((inner) => this.#forcesNull(inner, seen))
    );
  }

  #reference(schema: JsonObject, path: string): JsonObject {
    const { $ref } = schema;
    const beside = Object.keys(schema).find((key) => CONSTRAINTS.has(key) && key !== "$ref" && key !== "$defs");
    if (beside !== undefined) throw new NotExpressible(`\`${beside}\` beside \`$ref\``, path);
    if (typeof $ref !== "string" || !/^#\/\$defs\/[^/]+$/.test($ref) || resolveRef($ref, this.#root) === undefined)
      throw new NotExpressible("a `$ref` that does not lead to a definition", path);
    if (!this.#rules.recursive && this.#references.isCyclic($ref))
      throw new NotExpressible("the schema contains itself", path);
    const described = this.#described(schema);
    if (Object.keys(described).length === 0) return { $ref };
    // The mode allows no sibling of a reference.
    this.unions += 1;
    return { ...described, anyOf: [{ $ref }] };
  }

  #typeOf(schema: JsonObject, path: string): readonly string[] {
    const { type, enum: values, const: only, properties, items } = schema;
    if (typeof type === "string") return [type];
    if (Array.isArray(type)) {
      const [first, ...others] = (type as readonly string[]).filter((name) => name !== "null");
      if (first !== undefined && others.length === 0) return type as readonly string[];
      throw new NotExpressible("several types", path);
    }
    const literals = only === undefined ? listOf(values) : [only];
    const inferred = properties === undefined ? (items === undefined ? typeOfAll(literals) : "array") : "object";
    if (inferred === null) throw new NotExpressible("no type is stated", path);
    return [inferred];
  }

  #requireKnown(schema: JsonObject, path: string): void {
    const { keywords, problemOf } = this.#rules;
    const unknown = Object.keys(schema).find((key) => CONSTRAINTS.has(key) && !keywords.has(key) && key !== "oneOf");
    if (unknown !== undefined) throw new NotExpressible(`\`${unknown}\` cannot be stated`, path);
    const values = [...listOf(schema["enum"]), ...(schema["const"] === undefined ? [] : [schema["const"]])];
    if (values.some((value) => ["object", "array"].includes(jsonTypeOf(value))))
      throw new NotExpressible("a list of values with objects or lists in it", path);
    const problem = problemOf(schema);
    if (problem !== null) throw new NotExpressible(problem, path);
  }

  /** The keywords that stay unchanged, under the given type. */
  #plain(schema: JsonObject, type: readonly string[]): JsonObject {
    const [first = "object", ...others] = type;
    const kept = Object.entries(schema).filter(
      ([key]) => CONSTRAINTS.has(key) && key !== "type" && key !== "items" && !ABOUT_STRUCTURE.has(key),
    );
    const { format } = schema;
    if (others.length > 0) this.unions += 1;
    return {
      type: others.length === 0 ? first : [...type],
      ...this.#described(schema),
      ...Object.fromEntries(kept),
      ...(this.#knowsFormat(format) && { format: format as string }),
    };
  }

  #described(schema: JsonObject): { readonly description?: string } {
    const dropped = Object.keys(schema).filter(
      (key) => !CONSTRAINTS.has(key) && !(key === "format" && this.#knowsFormat(schema["format"])),
    );
    return describeKeywords(schema, dropped);
  }

  #knowsFormat(format: Json | undefined): boolean {
    return typeof format === "string" && this.#rules.formats.has(format);
  }
}

function orNull(schema: JsonObject): JsonObject {
  const { type, enum: values, const: only, anyOf, description, ...rest } = schema;
  if (typeof type === "string" && values === undefined && only === undefined)
    return { ...schema, type: [type, "null"] };
  const described = description === undefined ? {} : { description };
  if (anyOf !== undefined && type === undefined) return { ...described, anyOf: [...listOf(anyOf), { type: "null" }] };
  const inner = {
    ...(type !== undefined && { type }),
    ...(values !== undefined && { enum: values }),
    ...(only !== undefined && { const: only }),
    ...rest,
  };
  return { ...described, anyOf: [inner, { type: "null" }] };
}
