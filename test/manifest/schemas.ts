import * as fc from "fast-check";
import type { Json, JsonObject } from "@/lib/access/model/configuration";

/** Few names, so that values often match. */
const NAMES = ["a", "b", "c", "kind"] as const;
const name = fc.constantFrom(...NAMES);
const leaf = fc.constantFrom<Json>(null, true, 0, 1, 2.5, "", "x", "abc");

/** Values that schemas over the same few words often accept; nulls are frequent. */
export const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    { weight: 3, arbitrary: leaf },
    { weight: 2, arbitrary: fc.array(tie("value"), { maxLength: 2 }) },
    { weight: 4, arbitrary: fc.dictionary(name, tie("value"), { maxKeys: 3 }) },
  ),
})).value;

/** Arguments of a call. */
export const args: fc.Arbitrary<JsonObject> = fc.dictionary(name, value, { maxKeys: 4 });

const typeName = fc.constantFrom("string", "number", "integer", "boolean", "null", "array", "object");
const ref = fc.constantFrom("#/$defs/one", "#/$defs/two");

/** Schema nodes of every kind that the validators know, in unusual combinations. */
const node: fc.Arbitrary<Json> = fc.letrec<{ node: Json; object: Json }>((tie) => {
  const nodes = fc.array(tie("node"), { minLength: 1, maxLength: 3 });
  const rare = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 7 });
  const keywords = fc.record(
    {
      description: fc.constant("Words."),
      default: leaf,
      type: fc.oneof(typeName, fc.constantFrom(["string", "null"], ["object", "null"], ["string", "number"])),
      enum: rare(fc.uniqueArray(leaf, { minLength: 1, maxLength: 3, selector: (one) => JSON.stringify(one) })),
      const: rare(leaf),
      properties: fc.dictionary(name, tie("node"), { maxKeys: 3 }),
      required: fc.uniqueArray(name, { maxLength: 2 }),
      additionalProperties: fc.oneof(fc.boolean(), tie("node")),
      items: tie("node"),
      anyOf: rare(nodes),
      oneOf: rare(nodes),
      allOf: rare(nodes),
      not: rare(tie("node")),
      minimum: rare(fc.constant(1)),
      minLength: rare(fc.constant(1)),
      maxItems: rare(fc.constant(1)),
      minItems: rare(fc.constantFrom(0, 1, 2)),
      format: rare(fc.constantFrom("date", "int32")),
      prefixItems: rare(nodes),
      $ref: rare(ref),
    },
    { requiredKeys: [] },
  );
  return {
    // The usual form of tools: closed objects, one type per property.
    object: fc
      .record({
        properties: fc.dictionary(name, tie("node"), { maxKeys: 4 }),
        required: fc.uniqueArray(name, { maxLength: 3 }),
        closed: fc.boolean(),
      })
      .map(({ properties, required, closed }) => ({
        type: "object",
        properties,
        required: required.filter((one) => Object.hasOwn(properties, one)),
        ...(closed && { additionalProperties: false }),
      })),
    node: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      {
        weight: 5,
        arbitrary: typeName.filter((one) => one !== "object" && one !== "array").map((one) => ({ type: one })),
      },
      { weight: 1, arbitrary: fc.record({ $ref: ref }) },
      { weight: 1, arbitrary: fc.boolean() },
      { weight: 1, arbitrary: fc.constant({ type: "string", nullable: true }) },
      { weight: 3, arbitrary: tie("object") },
      { weight: 2, arbitrary: fc.record({ type: fc.constant("array"), items: tie("node") }) },
      { weight: 2, arbitrary: fc.record({ anyOf: nodes }) },
      { weight: 1, arbitrary: keywords.map(withoutAbsent) },
    ),
  };
}).node;

function withoutAbsent(schema: object): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([, inner]) => inner !== undefined));
}

/** Input schemas of tools: usual ones, and those of a careless server. */
export const inputSchema: fc.Arbitrary<JsonObject> = fc
  .record({
    properties: fc.dictionary(name, node, { maxKeys: 4 }),
    required: fc.uniqueArray(name, { maxLength: 2 }),
    more: fc.oneof({ weight: 8, arbitrary: fc.constant<Json>({}) }, { weight: 1, arbitrary: node }),
    $defs: fc.record({ one: node, two: node }),
    closed: fc.boolean(),
  })
  .map(({ properties, required, more, $defs, closed }) => ({
    ...(typeof more === "object" && !Array.isArray(more) && more),
    type: "object",
    properties,
    required: required.filter((one) => Object.hasOwn(properties, one)),
    ...(closed && { additionalProperties: false }),
    $defs,
  }))
  .map((schema) => schema as JsonObject);

/** The deepest sample of a schema that contains itself. */
const MAX_DEPTH = 30;

/** A value that a strict schema of the subset probably accepts, selected by `choices`. */
export function sampleOf(schema: Json | undefined, root: JsonObject, choices: readonly number[], depth = 0): Json {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema) || depth > MAX_DEPTH) return null;
  const { type, anyOf, enum: values, const: only, properties, items, $ref } = schema as JsonObject;
  const choice = choices[depth % choices.length] ?? 0;
  const pick = (from: unknown) => (from as readonly Json[])[choice % (from as readonly Json[]).length] ?? null;
  if (typeof $ref === "string")
    return sampleOf((root["$defs"] as JsonObject)[$ref.replace("#/$defs/", "")], root, choices, depth + 1);
  if (anyOf !== undefined) return sampleOf(pick(anyOf), root, choices, depth + 1);
  if (values !== undefined) return pick(values);
  if (only !== undefined) return only;
  const chosen = Array.isArray(type) ? pick(type) : (type ?? null);
  if (chosen === "object" && depth < 12)
    return Object.fromEntries(
      Object.entries(properties ?? {}).map(([key, inner], at) => [key, sampleOf(inner, root, choices, depth + 1 + at)]),
    );
  if (chosen === "array") return depth < 12 && choice % 3 > 0 ? [sampleOf(items, root, choices, depth + 1)] : [];
  const scalars: Record<string, Json> = { string: "abc", number: 2.5, integer: 1, boolean: true };
  return scalars[String(chosen)] ?? null;
}
