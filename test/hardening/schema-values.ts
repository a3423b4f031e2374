import * as fc from "fast-check";
import type { OpenApiDocument, Schema } from "@/lib/contracts/openapi/open-api";

/** Names of rows that are there, by the section they are in: without them few requests would get past "there is none". */
export type Known = Readonly<Record<string, readonly string[]>>;

/** The section that a field names, where the field's name is no prefix of the section's (`group`, `groups`: `groups`). */
const NAMES: Readonly<Record<string, string>> = {
  persona: "personas",
  policy: "policies",
  tool_id: "tools",
  include: "tools",
  session_id: "sessions",
};

/** Levels of objects and lists; deeper ones hold as little as their schema allows. */
const DEEPEST = 6;
/** Addresses of sources, issuers and webhooks: none is public, so that nothing leaves this machine. */
const ADDRESSES = ["http://127.0.0.1:1/", "http://[::1]:1/openapi.json", "https://192.0.2.1/mcp", "https://10.0.0.1/"];

/**
 * Values that a JSON Schema of the API's description allows, as far as it can say: what a route checks besides
 * (names that exist, fields that exclude each other) is refused by it.
 */
export class SchemaValues {
  readonly #schemas: OpenApiDocument["components"]["schemas"];
  readonly #known: Known;

  constructor(document: OpenApiDocument, known: Known) {
    this.#schemas = document.components.schemas;
    this.#known = known;
  }

  /** An arbitrary of what the schema of a field with this name allows. */
  of(schema: Schema, field: string, depth = 0): fc.Arbitrary<unknown> {
    const named = schema.$ref?.split("/").at(-1);
    if (named !== undefined) return this.of(this.#schemas[named] ?? {}, field, depth);
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) return this.#choice(choices, field, depth);
    const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
    if (types.length === 0) return fc.jsonValue({ maxDepth: 2 });
    return fc.oneof(...types.map((type) => this.#ofType(type, schema, field, depth)));
  }

  #choice(choices: readonly Schema[], field: string, depth: number): fc.Arbitrary<unknown> {
    const flat = depth < DEEPEST ? choices : choices.filter(({ type }) => type !== "object" && type !== "array");
    return fc.oneof(...(flat.length > 0 ? flat : choices).map((choice) => this.of(choice, field, depth + 1)));
  }

  #ofType(type: string, schema: Schema, field: string, depth: number): fc.Arbitrary<unknown> {
    if (type === "null") return fc.constant(null);
    if (type === "boolean") return fc.boolean();
    if (type === "integer" || type === "number") return numbers(type, schema);
    if (type === "string") return this.#strings(schema, field);
    return type === "array" ? this.#lists(schema, field, depth) : this.#objects(schema, depth);
  }

  #lists({ items = {}, minItems = 0, maxItems = 3 }: Schema, field: string, depth: number): fc.Arbitrary<unknown> {
    const most = depth < DEEPEST ? Math.min(maxItems, Math.max(minItems, 3)) : minItems;
    if (most === 0) return fc.constant([]);
    return fc.array(this.of(items, field, depth + 1), { minLength: minItems, maxLength: most });
  }

  #objects({ properties = {}, required = [], additionalProperties }: Schema, depth: number): fc.Arbitrary<unknown> {
    const needed = Object.entries(properties).map(([name, property]) => {
      const isRequired = required.includes(name);
      if (!isRequired && depth >= DEEPEST) return [];
      const value = this.of(property, name, depth + 1).map((given) => [[name, given]]);
      return isRequired ? value : fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: value });
    });
    const stated = fc.tuple(...needed.filter((one): one is Exclude<typeof one, never[]> => !Array.isArray(one)));
    const free = typeof additionalProperties === "object" && depth < DEEPEST ? additionalProperties : undefined;
    const others = free === undefined ? fc.constant({}) : this.#dictionary(free, depth);
    return fc.tuple(stated, others).map(([fields, rest]) => ({ ...rest, ...Object.fromEntries(fields.flat()) }));
  }

  #dictionary(schema: Schema, depth: number): fc.Arbitrary<object> {
    return fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), this.of(schema, "", depth + 1), { maxKeys: 3 });
  }

  #strings({ pattern, format, minLength = 0, maxLength = 40 }: Schema, field: string): fc.Arbitrary<string> {
    if (format === "date-time") return fc.constantFrom("2026-11-01T00:00:00.000Z", "2031-02-28T23:59:59.999Z");
    if (format === "uri" || pattern?.startsWith("^http") === true) return fc.constantFrom(...ADDRESSES);
    const fits = (text: string) => pattern === undefined || new RegExp(pattern, "u").test(text);
    const known = this.#namesFor(field).filter(fits);
    const fresh = freshText(pattern, format, minLength, Math.min(maxLength, 40));
    if (known.length === 0) return fresh;
    return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: fresh });
  }

  #namesFor(field: string): readonly string[] {
    const section = NAMES[field] ?? Object.keys(this.#known).find((name) => name === field || name === `${field}s`);
    return this.#known[section ?? ""] ?? [];
  }
}

function freshText(
  pattern: string | undefined,
  format: string | undefined,
  minLength: number,
  maxLength: number,
): fc.Arbitrary<string> {
  if (format === "uuid") return fc.uuid();
  return pattern === undefined ? texts(minLength, maxLength) : matching(pattern);
}

function texts(minLength: number, maxLength: number): fc.Arbitrary<string> {
  const limits = { minLength, maxLength: Math.max(minLength, maxLength) };
  return fc.oneof(fc.string(limits), fc.string({ ...limits, unit: "grapheme" }));
}

/** Patterns with character classes of Unicode are ones that most plain text fits. */
function matching(pattern: string): fc.Arbitrary<string> {
  if (pattern.includes("@")) return fc.stringMatching(/^[a-z]{1,8}@[a-z]{1,8}\.example$/);
  return pattern.includes("\\p{") ? fc.stringMatching(/^[a-z ]{1,20}$/) : fc.stringMatching(new RegExp(pattern));
}

function numbers(type: "integer" | "number", { minimum, maximum }: Schema): fc.Arbitrary<number> {
  const [min, max] = [Math.max(minimum ?? -1e9, -1e9), Math.min(maximum ?? 1e9, 1e9)];
  const edges = fc.constantFrom(min, max);
  return fc.oneof(
    edges,
    type === "integer"
      ? fc.integer({ min: Math.ceil(min), max: Math.floor(max) })
      : fc.double({ min, max, noNaN: true }),
  );
}
