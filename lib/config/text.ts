import { isScalar, LineCounter, parseDocument as parseYaml, stringify, visit, type Document, type Scalar } from "yaml";
import { fromJson, isDeeper } from "@/lib/access/model/json";
import type { Json } from "@/lib/access/model/configuration";
import type { DocumentProblem } from "@/lib/config/problems";
import { MAX_DOCUMENT_DEPTH } from "@/lib/contracts/sources/import-job";
import { faultOf, repeatedKeyOf } from "@/lib/http/json-bounds";

/** The most alias expansions of a document: a small file must not become a huge one. */
const MAX_ALIASES = 1_000;

/** The largest text to parse, in characters. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/**
 * Disables the library's check, which compares each key of a map with all keys before it. `duplicateKeys` uses a set
 * instead.
 */
export const WITHOUT_KEY_CHECK = { uniqueKeys: false } as const;

/** The most syntax errors to report. */
const MAX_PROBLEMS = 20;

/** Parses a YAML or JSON text, or reports its syntax errors with line and column. */
export function parseText(
  source: string,
):
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly errors: readonly DocumentProblem[] } {
  if (source.length > MAX_CHARACTERS)
    return { ok: false, errors: [{ path: "", message: "the document is too large" }] };
  const text = source.replace(/^\ufeff/, "");
  const json = parseJson(text);
  if (json !== null)
    return "value" in json ? { ok: true, value: json.value } : { ok: false, errors: [toProblem(json)] };
  const lineCounter = new LineCounter();
  try {
    const document = parseYaml(text, {
      lineCounter,
      ...WITHOUT_KEY_CHECK,
      merge: false,
      version: "1.2",
      prettyErrors: false,
    });
    const problems = [...document.errors, ...duplicateKeys(document)];
    if (problems.length > 0)
      return {
        ok: false,
        errors: problems.slice(0, MAX_PROBLEMS).map(({ message, pos }) => {
          const { line, col: column } = lineCounter.linePos(pos[0]);
          return toProblem({ message: isDepthFault(message) ? TOO_DEEP : message, line, column });
        }),
      };
    return { ok: true, value: document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown };
  } catch (error) {
    return { ok: false, errors: [{ path: "", message: yamlProblem(error) }] };
  }
}

function toProblem({ line, column, message }: TextProblem): DocumentProblem {
  return { path: "", message: `line ${line}, column ${column}: ${message}` };
}

const TOO_DEEP = "nested too deeply";

/** The YAML parser reports nesting that exhausts the stack in the engine's words, thrown or as a syntax error. */
function isDepthFault(message: string): boolean {
  return message.includes("call stack");
}

/** The problem of a text that the YAML parser refuses as a whole, in words that say what to change. */
export function yamlProblem(error: unknown): string {
  const [message = ""] = error instanceof Error ? error.message.split("\n") : [];
  if (isDepthFault(message)) return TOO_DEEP;
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
        if (seen.has(key.value)) found.push({ message: repeats(String(key.value)), pos: positionOf(key) });
        seen.add(key.value);
      }
      return found.length < MAX_PROBLEMS ? undefined : visit.BREAK;
    },
  });
  return found;
}

function repeats(key: string): string {
  return `the key \`${key.slice(0, 100)}\` occurs twice`;
}

function positionOf({ range }: Scalar): readonly [number, number] {
  return [range?.[0] ?? 0, range?.[1] ?? 0];
}

/** Writes a document as YAML text that parses back to an equal value. */
export function toText(document: object): string {
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 120, version: "1.2" });
}

/** A syntax error or a repeated key, and its place, from 1. */
export interface TextProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/**
 * Parses a text that begins as JSON, or says what is wrong with it; `null` = read it as YAML. The YAML parser would need
 * many times the time and memory for a large JSON text that is broken, and name a wrong place.
 */
export function parseJson(text: string): { readonly value: unknown } | TextProblem | null {
  if (!/^\s*(?:\{\s*["}]|\[)/.test(text)) return null;
  const value = fromJson(text);
  if (value === undefined) {
    const { character, ...place } = faultOf(text);
    if (character === null) return { message: "the JSON ends too early", ...place };
    // A line break is shown as `\n`.
    const shown = character === '"' ? character : JSON.stringify(character).slice(1, -1);
    return { message: `unexpected \`${shown}\` in JSON`, ...place };
  }
  // The body of an import holds its document one level down. Every reader refuses deeper values, so their keys do not matter.
  const repeated = isDeeper(value as Json, MAX_DOCUMENT_DEPTH + 1) ? null : repeatedKeyOf(text);
  if (repeated === null) return { value };
  const { key, ...place } = repeated;
  return { message: repeats(key), ...place };
}
