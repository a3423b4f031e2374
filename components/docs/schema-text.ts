import { nameOf } from "@/components/docs/example";
import type { Schema } from "@/lib/contracts/openapi/open-api";

/** A schema's type in a few words: `string or null`, `list of ToolEntry`, `"sync" | "async"`. */
export function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref) === "Json" ? "any JSON" : nameOf(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined && schema.enum.length <= 8)
    return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map(typeText))].join(" or ");
  if (schema.type === "array") return `list of ${typeText(schema.items ?? {})}`;
  if (schema.format !== undefined) return schema.format === "date-time" ? "time (ISO 8601)" : schema.format;
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  return types.length === 0 ? "any JSON" : types.join(" or ");
}

/** Bounds and default of a value, each a few words. */
export function boundsOf(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern, format } = schema;
  const range = (least: number | undefined, most: number | undefined, unit: string) => {
    if (least === undefined && most === undefined) return [];
    if (least === undefined) return [`at most ${most?.toLocaleString("en")}${unit}`];
    if (most === undefined) return least === 0 && unit === "" ? ["0 or more"] : [`at least ${least}${unit}`];
    return [`${least.toLocaleString("en")} to ${most.toLocaleString("en")}${unit}`];
  };
  return [
    ...range(minimum, maximum, ""),
    ...range(minLength, maxLength, " characters"),
    ...range(minItems, maxItems, " items"),
    ...(pattern === undefined || format !== undefined || pattern.length > 80 ? [] : [`matches \`${pattern}\``]),
    ...(schema.default === undefined ? [] : [`default \`${JSON.stringify(schema.default)}\``]),
  ];
}

/** The members that a reader may want to open: of the object itself, its items, or its choices. */
export function innerSchemas(schema: Schema): Schema[] {
  if (schema.properties !== undefined) return [schema];
  if (schema.items !== undefined) return innerSchemas(schema.items);
  if (typeof schema.additionalProperties === "object") return innerSchemas(schema.additionalProperties);
  return (schema.anyOf ?? schema.oneOf ?? []).flatMap(innerSchemas);
}

/** The schemas that a schema names outside its members. */
export function refsOf(schema: Schema): string[] {
  if (schema.$ref !== undefined) return nameOf(schema.$ref) === "Json" ? [] : [nameOf(schema.$ref)];
  const inner = [schema.items, schema.additionalProperties, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return inner.flatMap((each) => (typeof each === "object" ? refsOf(each) : []));
}
