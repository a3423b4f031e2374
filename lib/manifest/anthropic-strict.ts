import type { JsonObject } from "@/lib/access/model/configuration";
import { toStrict, type Strict, type StrictRules } from "@/lib/manifest/strict";

/**
 * platform.claude.com/docs/en/build-with-claude/structured-outputs, "JSON Schema limitations", and what the vendor's own SDK
 * leaves in a schema (@anthropic-ai/sdk, lib/transform-json-schema): `pattern` is not among it.
 */
const RULES: StrictRules = {
  keywords: new Set(
    "type enum const anyOf $ref $defs properties required additionalProperties items minItems".split(" "),
  ),
  formats: new Set("date-time time date duration email hostname uri ipv4 ipv6 uuid".split(" ")),
  optional: "kept",
  recursive: false,
  problemOf: ({ minItems }) =>
    minItems === undefined || minItems === 0 || minItems === 1 ? null : "`minItems` of more than 1 cannot be stated",
};

/** The same page, "Explicit limits": of one request, all its strict tools together. */
const MOST_TOOLS = 20;
const MOST_OPTIONAL = 24;
const MOST_UNIONS = 16;

/** Marks tools strict while the vendor's limits allow it, in the order in which it is asked. */
export class AnthropicBudget {
  #tools = 0;
  #optional = 0;
  #unions = 0;

  take(schema: JsonObject): Strict {
    const strict = toStrict(schema, RULES);
    if (!strict.ok) return strict;
    const over = this.#excess(strict.optional, strict.unions);
    if (over !== null) return { ok: false, reason: `The strict tools of a request may have no more than ${over}.` };
    this.#tools += 1;
    this.#optional += strict.optional;
    this.#unions += strict.unions;
    return strict;
  }

  #excess(optional: number, unions: number): string | null {
    if (this.#tools + 1 > MOST_TOOLS) return `${MOST_TOOLS} tools`;
    if (this.#optional + optional > MOST_OPTIONAL) return `${MOST_OPTIONAL} optional properties`;
    return this.#unions + unions > MOST_UNIONS ? `${MOST_UNIONS} properties of several types` : null;
  }
}
