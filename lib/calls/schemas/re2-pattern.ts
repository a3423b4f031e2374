import { RE2JS } from "re2js";

/** A compiled pattern as both validators use it. */
export interface SchemaPattern {
  /** @throws Error when the text is so long that matching could take about a second */
  readonly test: (text: string) => boolean;
  /** The most steps that RE2 takes for a text: instructions of the pattern times characters. */
  readonly steps: (text: string) => number;
  /** Spells pattern and flags: Ajv shares one compiled pattern among all that have the same text. */
  readonly toString: () => string;
}

const MAX_PATTERN = 1024;

/** Steps of one match, about a second's worth. */
const MAX_STEPS = 16_000_000;

/**
 * Compiles a schema's `pattern` for an engine that runs in linear time (unanchored, as JSON Schema wants it).
 *
 * @throws Error for what RE2 cannot express (look-around, back references): the schema is then unusable, and
 * its tool cannot be called, rather than being checked less than its author wrote
 */
export function compileSchemaPattern(pattern: string, flags = "u"): SchemaPattern {
  if (pattern.length > MAX_PATTERN) throw new Error(`a pattern is longer than ${MAX_PATTERN} characters`);
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  const instructions = compiled.programSize();
  const steps = (text: string) => text.length * instructions;
  return {
    test: (text) => {
      if (steps(text) > MAX_STEPS)
        throw new Error(`a text is too long to be checked against \`${pattern.slice(0, 100)}\``);
      return compiled.test(text);
    },
    steps,
    toString: () => `/${pattern}/${flags}`,
  };
}
