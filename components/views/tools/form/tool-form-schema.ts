import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { isObject } from "@/lib/access/model/json";
import { entriesOf, listOf, resolveRef } from "@/lib/manifest/schema/json-schema";

/** The input schema as a form can show it, or the sentence why it cannot. */
type FormSchema =
  { readonly schema: JsonObject; readonly reason: null } | { readonly schema: null; readonly reason: string };

/** Most fields of a form. A longer one is too slow, and too long to fill in. */
const MAX_PARTS = 250;

/** The schema keywords that a form needs. The server checks the arguments against the whole schema. */
const KEPT = [
  "description",
  "required",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
] as const;

/** The keywords that restrict a value. A schema without them accepts any value. */
const RESTRICTING_KEYWORDS = ["type", "enum", "allOf", "oneOf"] as const;

interface Walk {
  readonly root: JsonObject;
  parts: number;
}

/**
 * The schema for the form: inlines local `$ref`s, drops `null` next to another type, turns defaults into examples (shown,
 * not sent), and drops patterns, which would run in the browser. Values without a control (any value, several types, a
 * tuple, a recursion) are edited as JSON.
 */
export function formSchema(schema: JsonObject): FormSchema {
  const walk: Walk = { root: schema, parts: 0 };
  const shown = partOf(schema, ["#"], walk);
  if (walk.parts > MAX_PARTS) return refused("The input schema is too large for a form. Enter the arguments as JSON.");
  if (shown["type"] !== "object") {
    return refused("The input schema has no arguments that a form can show. Enter the arguments as JSON.");
  }
  return { schema: shown, reason: null };
}

function refused(reason: string): FormSchema {
  return { schema: null, reason };
}

/** `above`: the references that led here, so that a recursion ends. */
function partOf(schema: Json, above: readonly string[], walk: Walk): JsonObject {
  walk.parts += 1;
  if (!isObject(schema) || walk.parts > MAX_PARTS) return anyValue({});
  const { $ref: ref, ...stated } = schema;
  if (ref !== undefined) {
    const target = resolveRef(ref, walk.root);
    if (typeof ref !== "string" || above.includes(ref) || !isObject(target)) return anyValue(schema);
    return partOf({ ...target, ...stated }, [...above, ref], walk);
  }
  const { anyOf: some, oneOf: one, ...rest } = schema;
  const choices = [...listOf(one), ...listOf(some)].filter((choice) => !meansNull(choice));
  const [only] = choices;
  if (choices.length === 1 && isObject(only) && rest["properties"] === undefined) {
    return partOf({ ...only, ...rest }, above, walk);
  }
  const options = choices.map((choice) => partOf(choice, above, walk)).filter(saysValue);
  const all = listOf(rest["allOf"]).map((part) => partOf(part, above, walk));
  const typed = typedOf(rest, above, walk);
  const examples = [...listOf(rest["examples"]), rest["default"] ?? null].filter((example) => example !== null);
  const values = rest["const"] === undefined ? listOf(rest["enum"]) : [rest["const"]];
  const part: JsonObject = {
    ...Object.fromEntries(KEPT.flatMap((key) => (rest[key] === undefined ? [] : [[key, rest[key]]]))),
    ...(typeof rest["title"] === "string" && { title: rest["title"] }),
    ...(typeof rest["format"] === "string" && { $comment: rest["format"] }),
    ...(examples.length > 0 && { examples }),
    ...(values.length > 0 && { enum: values }),
    ...(options.length > 1 && { oneOf: options.map(withTitle) }),
    ...(all.length > 0 && { allOf: all }),
    ...typed,
  };
  return saysValue(part) ? part : anyValue(schema);
}

/** The type, and what lies in it; nothing for a value that has no control. */
function typedOf(schema: JsonObject, above: readonly string[], walk: Walk): JsonObject {
  const { type, properties, items, additionalProperties: more } = schema;
  const types = (typeof type === "string" ? [type] : listOf(type)).filter((name) => name !== "null");
  const only = types.length === 1 ? types[0] : undefined;
  if (only === "object" || (types.length === 0 && (properties !== undefined || isObject(more)))) {
    const fields = entriesOf(properties).map(([name, field]) => [name, partOf(field, above, walk)] as const);
    const open = isObject(more) || (more === true && fields.length > 0);
    const union = ["oneOf", "anyOf", "allOf"].some((key) => key in schema);
    // A free object has no fields, so it is edited as JSON.
    if (fields.length === 0 && !open && !union) return {};
    return {
      type: "object",
      properties: Object.fromEntries(fields),
      ...(open && { additionalProperties: partOf(more ?? true, above, walk) }),
    };
  }
  if (only === "array" || (types.length === 0 && items !== undefined)) {
    if (!isObject(items) || "prefixItems" in schema) return {};
    return { type: "array", items: partOf(items, above, walk) };
  }
  return only === undefined ? {} : { type: only };
}

/** A schema with a description only, edited as JSON. The form would show no field for an empty schema. */
function anyValue({ description }: JsonObject): JsonObject {
  return { $comment: "JSON", ...(typeof description === "string" && { description }) };
}

function saysValue(part: JsonObject): boolean {
  return RESTRICTING_KEYWORDS.some((key) => part[key] !== undefined);
}

function meansNull(schema: Json): boolean {
  return isObject(schema) && (schema["type"] === "null" || schema["const"] === null);
}

/** A choice with a name: its title, its marking value, or its type. Choosing it sets the marking value. */
function withTitle(option: JsonObject, index: number): JsonObject {
  const required = listOf(option["required"]);
  const fields = entriesOf(option["properties"]);
  const marks = fields.flatMap(([name, field]): [string, JsonObject][] => {
    const [mark, another] = isObject(field) ? listOf(field["enum"]) : [];
    if (!isObject(field) || mark === undefined || another !== undefined || !required.includes(name)) return [];
    return [[name, { ...field, const: mark }]];
  });
  const type = typeof option["type"] === "string" ? option["type"] : `choice ${index + 1}`;
  const within = fields.length === 0 ? type : `${type} with ${fields.map(([name]) => name).join(", ")}`;
  const [first] = marks.map(([name, { const: mark }]) => `${name}: ${String(mark)}`);
  return {
    ...option,
    title: option["title"] ?? first ?? within.slice(0, 60),
    ...(fields.length > 0 && { properties: { ...Object.fromEntries(fields), ...Object.fromEntries(marks) } }),
  };
}

/** The value without empty optional objects and lists, which nobody entered. */
export function writtenOf(schema: JsonObject, value: Json): Json {
  if (Array.isArray(value)) {
    const items = schema["items"];
    return isObject(items) ? value.map((item: Json) => writtenOf(items, item)) : value;
  }
  const fields = schema["properties"];
  if (!isObject(value) || !isObject(fields)) return value;
  const required = listOf(schema["required"]);
  const members = Object.entries(value).flatMap(([name, member]) => {
    const field = fields[name];
    const written = isObject(field) ? writtenOf(field, member) : member;
    const empty = typeof written === "object" && written !== null && Object.keys(written).length === 0;
    return empty && isObject(field) && "type" in field && !required.includes(name) ? [] : [[name, written] as const];
  });
  return Object.fromEntries(members);
}
