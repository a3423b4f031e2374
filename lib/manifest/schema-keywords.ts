import type { Json, JsonObject } from "@/lib/access/model/configuration";

/**
 * Every keyword by which a schema of ours can refuse a value (JSON Schema 2020-12 and draft-07, applicators and validation).
 * Whatever else stands in a schema is told, not enforced; `format` too, which is never checked here (docs/reference/execution.md#schemas).
 */
export const CONSTRAINTS: ReadonlySet<string> = new Set(
  `type enum const $ref $defs definitions nullable allOf anyOf oneOf not if then else dependentSchemas
  dependentRequired dependencies properties required additionalProperties patternProperties
  propertyNames minProperties maxProperties unevaluatedProperties items prefixItems additionalItems
  contains minContains maxContains minItems maxItems uniqueItems unevaluatedItems minLength maxLength
  pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf`.split(/\s+/),
);

/** What a model gains nothing from. */
const SILENT: ReadonlySet<string> = new Set(
  "$schema $comment $id $anchor $defs definitions title xml externalDocs discriminator description".split(" "),
);

/** Characters of one keyword's JSON that a description is worth. */
const MOST_TOLD = 400;

/**
 * A description that also tells what a vendor's schema cannot hold: `The currency. {default: "EUR", minLength: 3}`. None =
 * there is nothing to tell.
 */
export function toldOf(schema: JsonObject, dropped: readonly string[]): { readonly description?: string } {
  const { description } = schema;
  const told = dropped
    .filter((keyword) => !SILENT.has(keyword) && !keyword.startsWith("x-"))
    .map((keyword) => `${keyword}: ${JSON.stringify(schema[keyword])}`)
    .filter((text) => text.length <= MOST_TOLD);
  const texts = [
    ...(typeof description === "string" && description !== "" ? [description] : []),
    ...(told.length === 0 ? [] : [`{${told.join(", ")}}`]),
  ];
  return texts.length === 0 ? {} : { description: texts.join(" ") };
}

/** The types of some JSON values as `type` names them, when they all have one; else none. */
export function typeOfAll(values: readonly Json[]): string | null {
  const types = new Set(
    values.map((value) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value)),
  );
  const [only] = types;
  return types.size === 1 && only !== undefined ? only : null;
}
