import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { isObject } from "@/lib/access/model/json";
import { entriesOf, listOf } from "@/lib/manifest/schema/json-schema";
import { toStrict, type Strict, type StrictRules } from "@/lib/manifest/schema/strict";

/**
 * developers.openai.com/api/docs/guides/structured-outputs, "Supported schemas": keywords that are not listed there are
 * not used.
 */
const RULES: StrictRules = {
  keywords: new Set(
    `type enum const anyOf $ref $defs properties required additionalProperties items pattern minimum
  maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems`.split(/\s+/),
  ),
  formats: new Set(["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"]),
  optional: "nullable",
  recursive: true,
  problemOf: () => null,
};
/** Limits of one schema (the page above, "Objects have limitations on nesting depth and size"). */
const MAX_PROPERTIES = 5000;
const MAX_LEVELS = 10;
const MAX_NAME_CHARACTERS = 120_000;
const MAX_ENUM_VALUES = 1000;
const LARGE_ENUM = 250;
const MAX_LARGE_ENUM_CHARACTERS = 15_000;

/** A tool's input schema in OpenAI's strict mode: every property is required, and optional ones are nullable. */
export function toOpenAiStrict(schema: JsonObject): Strict {
  const strict = toStrict(schema, RULES);
  if (!strict.ok) return strict;
  const size = new Size();
  size.add(strict.schema, 0);
  const reason = size.excess();
  return reason === null ? strict : { ok: false, reason };
}

class Size {
  #properties = 0;
  #levels = 0;
  #characters = 0;
  #enumValues = 0;
  #largeEnum = 0;

  add(schema: Json | undefined, level: number): void {
    if (!isObject(schema)) return;
    const { properties, items, anyOf, $defs, enum: values } = schema;
    const here = level + (properties === undefined && items === undefined ? 0 : 1);
    this.#levels = Math.max(this.#levels, here);
    this.#properties += entriesOf(properties).length;
    for (const [name, inner] of [...entriesOf(properties), ...entriesOf($defs)]) {
      this.#characters += name.length;
      this.add(inner, here);
    }
    for (const inner of [items, ...listOf(anyOf)]) this.add(inner, here);
    const texts = [...listOf(values), schema["const"]].flatMap((value) =>
      typeof value === "string" ? [value.length] : [],
    );
    const characters = texts.reduce((sum, length) => sum + length, 0);
    this.#characters += characters;
    this.#enumValues += listOf(values).length;
    if (listOf(values).length > LARGE_ENUM) this.#largeEnum = Math.max(this.#largeEnum, characters);
  }

  excess(): string | null {
    if (this.#properties > MAX_PROPERTIES) return `There are more than ${MAX_PROPERTIES} properties.`;
    if (this.#levels > MAX_LEVELS) return `The schema is nested deeper than ${MAX_LEVELS} levels.`;
    if (this.#characters > MAX_NAME_CHARACTERS)
      return `Names and values have more than ${MAX_NAME_CHARACTERS} characters.`;
    if (this.#enumValues > MAX_ENUM_VALUES) return `There are more than ${MAX_ENUM_VALUES} values to choose from.`;
    if (this.#largeEnum > MAX_LARGE_ENUM_CHARACTERS)
      return `More than ${LARGE_ENUM} values to choose from have more than ${MAX_LARGE_ENUM_CHARACTERS} characters.`;
    return null;
  }
}
