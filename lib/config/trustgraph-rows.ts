import { isObject } from "@/lib/access/model/json";
import type { DocumentProblem } from "@/lib/config/problems";

/** An object with unknown members. */
type Fields = Readonly<Record<string, unknown>>;

/** One entry of a TrustGraph configuration with its parsed value. */
export interface TrustGraphRow {
  readonly type: string;
  readonly key: string;
  readonly value: Fields;
  /** The row's name in problems: `tool[search]`. */
  readonly at: string;
}

/** The types that hold tools. A whole TrustGraph configuration also holds other types. */
const TOOL_TYPES: readonly string[] = ["tool", "mcp"];

/** An entry as written, and its path. */
interface Entry {
  readonly entry: unknown;
  readonly place: string;
}

/**
 * Whether a parsed text is a TrustGraph configuration: a list of rows (`type`, `key`, `value`), bare or under `config`,
 * `values` or `rows`; or a map from type to key to value, as `tg-show-config` prints it.
 */
export function isTrustGraph(value: unknown): boolean {
  return entriesOf(value) !== null;
}

/** The tools and MCP servers among the rows. Every unreadable row is an error, and every other type a warning. */
export function readRows(value: unknown): {
  readonly rows: readonly TrustGraphRow[];
  readonly errors: readonly DocumentProblem[];
  readonly warnings: readonly DocumentProblem[];
} {
  const rows: TrustGraphRow[] = [];
  const errors: DocumentProblem[] = [];
  const warnings: DocumentProblem[] = [];
  const seen = new Set<string>();
  for (const { entry, place } of entriesOf(value) ?? []) {
    const named = nameOf(entry, place);
    if ("message" in named) errors.push(named);
    else if (!TOOL_TYPES.includes(named.type))
      warnings.push({ path: named.at, message: "is neither a tool nor an MCP server: not imported" });
    else if (seen.has(named.at)) errors.push({ path: named.at, message: "occurs twice: remove one of the two" });
    else {
      seen.add(named.at);
      const read = readValue((entry as Fields)["value"]);
      if (typeof read === "string") errors.push({ path: `${named.at}.value`, message: read });
      else rows.push({ ...named, value: read });
    }
  }
  return { rows, errors, warnings };
}

/** The most wrappers around the rows. A deeper value is no TrustGraph configuration, so that nesting cannot exhaust the stack. */
const MAX_WRAPPERS = 64;

function entriesOf(value: unknown, wrappersLeft = MAX_WRAPPERS): Entry[] | null {
  if (Array.isArray(value))
    return value.some(looksLikeRow) ? value.map((entry: unknown, at) => ({ entry, place: `[${at}]` })) : null;
  if (!isObject(value) || Object.hasOwn(value, "apiVersion") || wrappersLeft < 0) return null;
  for (const around of ["config", "values", "rows"])
    if (Object.hasOwn(value, around)) {
      const inside = entriesOf(value[around], wrappersLeft - 1);
      if (inside !== null) return inside.map(({ entry, place }) => ({ entry, place: `${around}${place}` }));
    }
  return TOOL_TYPES.some((type) => isObject(value[type])) ? entriesOfMap(value) : null;
}

/**
 * The entries of `{ tool: { search: "…" } }`. A tool type whose value is no map becomes one entry, which is then reported.
 */
function entriesOfMap(value: Fields): Entry[] {
  return Object.entries(value).flatMap(([type, keys]): Entry[] => {
    if (isObject(keys))
      return Object.entries(keys).map(([key, member]) => ({
        entry: { type, key, value: member },
        place: `.${type}.${key}`,
      }));
    return TOOL_TYPES.includes(type) ? [{ entry: keys, place: `.${type}` }] : [];
  });
}

function looksLikeRow(entry: unknown): boolean {
  return isObject(entry) && ["type", "key", "value"].filter((field) => Object.hasOwn(entry, field)).length >= 2;
}

function nameOf(entry: unknown, place: string): DocumentProblem | { type: string; key: string; at: string } {
  if (!isObject(entry)) return { path: place, message: "is not a row: use an object with `type`, `key` and `value`" };
  const { type, key } = entry;
  if (typeof type !== "string" || type === "")
    return { path: `${place}.type`, message: "state a type, such as `tool`" };
  if (typeof key !== "string" || key === "") return { path: `${place}.key`, message: "state a key: the tool's id" };
  return { type, key, at: `${type}[${key}]` };
}

/** The value as an object, or its problem. The message never quotes the value, which may be a secret. */
function readValue(value: unknown): Fields | string {
  if (isObject(value)) return value;
  if (typeof value !== "string") return "must be an object as JSON text";
  try {
    const parsed: unknown = JSON.parse(value);
    return isObject(parsed) ? parsed : "must be an object as JSON text";
  } catch (error) {
    const [position = ""] = /position \d+/.exec(String(error)) ?? [];
    return `is not valid JSON${position === "" ? "" : ` (at ${position})`}`;
  }
}
