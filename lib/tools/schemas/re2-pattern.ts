import { RE2JS } from "re2js";

/** A compiled pattern as both validators use it. */
export interface SchemaPattern {
  readonly test: (text: string) => boolean;
  /** Spells pattern and flags: Ajv shares one compiled pattern among all that have the same text. */
  readonly toString: () => string;
}

const MAX_PATTERN = 1024;

/**
 * A schema's `pattern`, in an engine that runs in linear time (unanchored, as JSON Schema wants it).
 *
 * @throws Error for what RE2 cannot express (look-around, back references): the schema is then unusable, and
 * its tool cannot be called, rather than being checked less than its author wrote
 */
export function compileSchemaPattern(pattern: string, flags = "u"): SchemaPattern {
  if (pattern.length > MAX_PATTERN) throw new Error(`a pattern is longer than ${MAX_PATTERN} characters`);
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  return { test: (text) => compiled.test(text), toString: () => `/${pattern}/${flags}` };
}
