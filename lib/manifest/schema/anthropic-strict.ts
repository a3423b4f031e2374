import type { JsonObject } from "@/lib/access/model/configuration";
import { toStrict, type Strict, type StrictRules } from "@/lib/manifest/schema/strict";

/**
 * platform.claude.com/docs/en/build-with-claude/structured-outputs, "JSON Schema limitations", and the keywords that
 * the vendor's SDK keeps in a schema (@anthropic-ai/sdk, lib/transform-json-schema): `pattern` is not one of them.
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

/** Limits over all strict tools of one request (the page above, "Explicit limits"). */
const MAX_TOOLS = 20;
const MAX_OPTIONAL = 24;
const MAX_UNIONS = 16;

/** Marks tools strict, in the order of the calls, while the vendor's limits allow it. */
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
    if (this.#tools + 1 > MAX_TOOLS) return `${MAX_TOOLS} tools`;
    if (this.#optional + optional > MAX_OPTIONAL) return `${MAX_OPTIONAL} optional properties`;
    return this.#unions + unions > MAX_UNIONS ? `${MAX_UNIONS} properties of several types` : null;
  }
}
