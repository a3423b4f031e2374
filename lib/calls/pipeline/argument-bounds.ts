import type { JsonObject } from "@/lib/access/model/configuration";
import { flawOfText } from "@/lib/access/model/storable";
import type { SchemaProblem } from "@/lib/calls/schemas/schema-problem";

/** The largest arguments of a call, as UTF-8 JSON (docs/reference/execution.md#pipeline, 3). */
const MAX_ARGUMENT_BYTES = 256 * 1024;
/** The deepest nesting, the arguments object itself counted. */
const MAX_ARGUMENT_DEPTH = 32;
/** The most keys, all objects together. */
const MAX_ARGUMENT_KEYS = 2000;

/** The most values, including lists, objects and their members. An ordinary list of numbers fits. */
export const MAX_ARGUMENT_VALUES = 25_000;

/** Names through which an object could reach another's prototype. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Arguments within the bounds, or the first problem. */
type BoundArguments =
  { readonly ok: true; readonly value: JsonObject } | { readonly ok: false; readonly problem: SchemaProblem };

/**
 * The arguments as an object within bounds, or the first problem. Runs before any schema or policy reads them.
 * Absent arguments are `{}`.
 */
export function boundArguments(value: unknown): BoundArguments {
  if (value === undefined || value === null) return { ok: true, value: {} };
  if (typeof value !== "object" || Array.isArray(value)) return refused("", "send the arguments as a JSON object");
  const problem = new Bounds().problemOf(value);
  if (problem !== null) return { ok: false, problem };
  if (Buffer.byteLength(JSON.stringify(value)) > MAX_ARGUMENT_BYTES)
    return refused("", `the arguments are larger than ${MAX_ARGUMENT_BYTES / 1024} KiB`);
  return { ok: true, value: value as JsonObject };
}

function refused(pointer: string, message: string): BoundArguments {
  return { ok: false, problem: { pointer, message } };
}

/** The first problem inside a value. The keys of its pointer are collected while returning: valid arguments need none. */
interface Flaw {
  /** Innermost first; `null`: the arguments as a whole. */
  readonly keys: string[] | null;
  readonly message: string;
}

/** Counts the keys and values of one value. Stops at the first flaw, so that hostile nesting cannot exhaust the stack. */
class Bounds {
  #keys = 0;
  #values = 0;

  problemOf(value: object): SchemaProblem | null {
    const found = this.#flawOf(value, 1);
    if (found === null) return null;
    const keys = (found.keys ?? []).toReversed().map((key) => key.replaceAll("~", "~0").replaceAll("/", "~1"));
    return { pointer: keys.map((key) => `/${key}`).join(""), message: found.message };
  }

  #flawOf(value: unknown, depth: number): Flaw | null {
    this.#values += 1;
    if (this.#values > MAX_ARGUMENT_VALUES) return { keys: null, message: `more than ${MAX_ARGUMENT_VALUES} values` };
    if (typeof value === "string") return flaw(flawOfText(value));
    if (typeof value === "number" && !Number.isFinite(value)) return flaw("is not a finite number");
    if (typeof value !== "object" || value === null) return null;
    if (depth > MAX_ARGUMENT_DEPTH) return flaw(`nested deeper than ${MAX_ARGUMENT_DEPTH} levels`);
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at += 1) {
        const found = this.#flawOf(value[at], depth + 1);
        if (found !== null) return below(String(at), found);
      }
      return null;
    }
    for (const key of Object.keys(value)) {
      const found = this.#flawOfKey(key) ?? this.#flawOf((value as Record<string, unknown>)[key], depth + 1);
      if (found !== null) return below(key, found);
    }
    return null;
  }

  #flawOfKey(key: string): Flaw | null {
    this.#keys += 1;
    if (this.#keys > MAX_ARGUMENT_KEYS) return { keys: null, message: `more than ${MAX_ARGUMENT_KEYS} keys` };
    if (FORBIDDEN_KEYS.has(key)) return flaw(`the key \`${key}\` is not allowed`);
    return flaw(flawOfText(key));
  }
}

function flaw(message: string | null): Flaw | null {
  return message === null ? null : { keys: [], message };
}

function below(key: string, found: Flaw): Flaw {
  found.keys?.push(key);
  return found;
}
