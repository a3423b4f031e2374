import type { Json, JsonObject } from "@/lib/access/model/configuration";

/**
 * Every keyword by which a tool's schema can refuse a value (JSON Schema 2020-12 and draft-07, applicators and
 * validation). Descriptions carry other keywords. `format` is among those, because it is never checked here
 * (docs/reference/execution.md#schemas).
 */
export const CONSTRAINTS: ReadonlySet<string> = new Set(
  `type enum const $ref $defs definitions nullable allOf anyOf oneOf not if then else dependentSchemas
  dependentRequired dependencies properties required additionalProperties patternProperties
  propertyNames minProperties maxProperties unevaluatedProperties items prefixItems additionalItems
  contains minContains maxContains minItems maxItems uniqueItems unevaluatedItems minLength maxLength
  pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf`.split(/\s+/),
);

/** Keywords that do not help a model. */
const SILENT: ReadonlySet<string> = new Set(
  "$schema $comment $id $anchor $defs definitions title xml externalDocs discriminator description".split(" "),
);

/** The most characters of one keyword's JSON to put into a description. */
const MAX_KEYWORD_CHARACTERS = 400;

/**
 * A description that also states what a vendor's schema cannot hold: `The currency. {default: "EUR", minLength: 3}`.
 * Absent when there is nothing to state.
 */
export function describeKeywords(schema: JsonObject, dropped: readonly string[]): { readonly description?: string } {
  const { description } = schema;
  const stated = dropped
    .filter((keyword) => !SILENT.has(keyword) && !keyword.startsWith("x-"))
    .map((keyword) => `${keyword}: ${JSON.stringify(schema[keyword])}`)
    .filter((text) => text.length <= MAX_KEYWORD_CHARACTERS);
  const texts = [
    ...(typeof description === "string" && description !== "" ? [description] : []),
    ...(stated.length === 0 ? [] : [`{${stated.join(", ")}}`]),
  ];
  return texts.length === 0 ? {} : { description: texts.join(" ") };
}

/** The common type of some JSON values, as `type` names it; `null` when they differ. */
export function typeOfAll(values: readonly Json[]): string | null {
  const types = new Set(
    values.map((value) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value)),
  );
  const [only] = types;
  return types.size === 1 && only !== undefined ? only : null;
}
