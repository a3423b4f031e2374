import { RE2JS } from "re2js";

/** A compiled pattern as both validators use it. */
export interface SchemaPattern {
  /** @throws Error when the text is so long that matching could hold the process */
  readonly test: (text: string) => boolean;
  /** Spells pattern and flags: Ajv shares one compiled pattern among all that have the same text. */
  readonly toString: () => string;
}

const MAX_PATTERN = 1024;

/** Instructions of the pattern times characters of the text: RE2 may take that many steps, about a second's worth. */
const MAX_STEPS = 16_000_000;

/**
 * A schema's `pattern`, in an engine that runs in linear time (unanchored, as JSON Schema wants it).
 *
 * @throws Error for what RE2 cannot express (look-around, back references): the schema is then unusable, and
 * its tool cannot be called, rather than being checked less than its author wrote
 */
export function compileSchemaPattern(pattern: string, flags = "u"): SchemaPattern {
  if (pattern.length > MAX_PATTERN) throw new Error(`a pattern is longer than ${MAX_PATTERN} characters`);
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  const longest = Math.floor(MAX_STEPS / compiled.programSize());
  return {
    test: (text) => {
      if (text.length > longest)
        throw new Error(`a text is too long to be checked against \`${pattern.slice(0, 100)}\``);
      return compiled.test(text);
    },
    toString: () => `/${pattern}/${flags}`,
  };
}
