import { LineCounter, parseDocument as parseYaml, stringify } from "yaml";
import type { DocumentProblem } from "@/lib/config/problems";

/** Aliases that a document may expand to: a small file must not become a huge one. */
const MOST_ALIASES = 1_000;

/** The largest text that is read, in characters. */
const MOST_CHARACTERS = 64 * 1024 * 1024;

/** The value of a YAML or JSON text (JSON is YAML), or its syntax errors with line and column. */
export function parseText(
  text: string,
):
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly errors: readonly DocumentProblem[] } {
  if (text.length > MOST_CHARACTERS) return { ok: false, errors: [{ path: "", message: "the document is too large" }] };
  const json = parseJson(text);
  if (json !== undefined) return { ok: true, value: json };
  const lineCounter = new LineCounter();
  try {
    const document = parseYaml(text, {
      lineCounter,
      uniqueKeys: true,
      merge: false,
      version: "1.2",
      prettyErrors: false,
    });
    if (document.errors.length > 0)
      return {
        ok: false,
        errors: document.errors.slice(0, 20).map(({ message, pos }) => {
          const { line, col } = lineCounter.linePos(pos[0]);
          return { path: "", message: `line ${line}, column ${col}: ${message}` };
        }),
      };
    return { ok: true, value: document.toJS({ maxAliasCount: MOST_ALIASES }) as unknown };
  } catch (error) {
    // Too many aliases, or an alias without an anchor.
    return {
      ok: false,
      errors: [{ path: "", message: error instanceof Error ? error.message : "not readable as YAML" }],
    };
  }
}

/** A document as YAML text that reads back equal. */
export function toText(document: object): string {
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 120, version: "1.2" });
}

/** Large documents are usually JSON, which the platform reads many times faster; anything else goes through YAML. */
function parseJson(text: string): unknown {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
