import { isScalar, LineCounter, parseDocument as parseYaml, stringify, visit, type Document, type Scalar } from "yaml";
import { fromJson } from "@/lib/access/model/json";
import type { DocumentProblem } from "@/lib/config/problems";

/** The most alias expansions of a document: a small file must not become a huge one. */
const MAX_ALIASES = 1_000;

/** The largest text to parse, in characters. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/**
 * Disables the library's check, which compares each key of a map with all keys before it. `duplicateKeys` uses a set
 * instead.
 */
export const LOOKED_UP = { uniqueKeys: false } as const;

/** The most syntax errors to report. */
const MAX_PROBLEMS = 20;

/** Parses a YAML or JSON text (JSON is YAML), or reports its syntax errors with line and column. */
export function parseText(
  text: string,
):
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly errors: readonly DocumentProblem[] } {
  if (text.length > MAX_CHARACTERS) return { ok: false, errors: [{ path: "", message: "the document is too large" }] };
  const json = parseJson(text);
  if (json !== undefined) return { ok: true, value: json };
  const lineCounter = new LineCounter();
  try {
    const document = parseYaml(text, {
      lineCounter,
      ...LOOKED_UP,
      merge: false,
      version: "1.2",
      prettyErrors: false,
    });
    const problems = [...document.errors, ...duplicateKeys(document)];
    if (problems.length > 0)
      return {
        ok: false,
        errors: problems.slice(0, MAX_PROBLEMS).map(({ message, pos }) => {
          const { line, col } = lineCounter.linePos(pos[0]);
          return { path: "", message: `line ${line}, column ${col}: ${message}` };
        }),
      };
    return { ok: true, value: document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown };
  } catch (error) {
    return { ok: false, errors: [{ path: "", message: yamlProblem(error) }] };
  }
}

/** The problem of a text that the YAML parser refuses as a whole, in words that say what to change. */
export function yamlProblem(error: unknown): string {
  const [message = ""] = error instanceof Error ? error.message.split("\n") : [];
  if (message.includes("call stack")) return "nested too deeply";
  if (message.startsWith("Excessive alias count"))
    return `uses aliases (\`*name\`) more than ${MAX_ALIASES} times: write their content out`;
  return message === "" ? "not readable as YAML" : message.replace(/:$/, "");
}

/** Finds repeated keys of a map with a set: a document may be one map of a hundred thousand keys. */
export function duplicateKeys(
  document: Document.Parsed,
): { readonly message: string; readonly pos: readonly [number, number] }[] {
  const found: { message: string; pos: readonly [number, number] }[] = [];
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value))
          found.push({ message: `Map keys must be unique: \`${shownKey(key)}\``, pos: positionOf(key) });
        seen.add(key.value);
      }
      return found.length < MAX_PROBLEMS ? undefined : visit.BREAK;
    },
  });
  return found;
}

function shownKey({ value }: Scalar): string {
  return String(value).slice(0, 100);
}

function positionOf({ range }: Scalar): readonly [number, number] {
  return [range?.[0] ?? 0, range?.[1] ?? 0];
}

/** Writes a document as YAML text that parses back to an equal value. */
export function toText(document: object): string {
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 120, version: "1.2" });
}

/** Large documents are usually JSON, which the platform parses many times faster. Anything else is parsed as YAML. */
function parseJson(text: string): unknown {
  return /^\s*\{/.test(text) ? fromJson(text) : undefined;
}
