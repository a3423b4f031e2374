import type { OpenApiDocument, Schema } from "@/lib/contracts/openapi/open-api";

/** The schema that a reference names. */
export function resolved(schema: Schema, { components }: OpenApiDocument): Schema {
  return (schema.$ref === undefined ? undefined : components.schemas[nameOf(schema.$ref)]) ?? schema;
}

/** `Tool` of `#/components/schemas/Tool`. */
export function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}

/** The smallest example of a schema, with only the required parts. */
export function exampleOf(schema: Schema, document: OpenApiDocument, depth = 0): unknown {
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.$ref !== undefined) return depth > 6 ? {} : exampleOf(resolved(schema, document), document, depth + 1);
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first !== undefined) return exampleOf(first, document, depth + 1);
  const type = typeof schema.type === "string" ? schema.type : schema.type?.[0];
  if (type === "object") {
    const required = (schema.required ?? []).map((name) => [
      name,
      exampleOf(schema.properties?.[name] ?? {}, document, depth + 1),
    ]);
    return Object.fromEntries(required);
  }
  if (type === "array")
    return (schema.minItems ?? 0) > 0 && schema.items ? [exampleOf(schema.items, document, depth + 1)] : [];
  if (type === "integer" || type === "number") return schema.minimum ?? 0;
  if (type === "boolean") return true;
  return type === "string" ? "…" : {};
}
