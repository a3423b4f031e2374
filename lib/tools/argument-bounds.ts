import type { JsonObject } from "@/lib/access/configuration";

/** The most that a call's arguments may weigh, as UTF-8 JSON (4-execution, Pipeline, 3). */
export const MAX_ARGUMENT_BYTES = 256 * 1024;
/** The deepest nesting, the arguments object itself counted. */
export const MAX_ARGUMENT_DEPTH = 32;
/** The most keys, all objects together. */
export const MAX_ARGUMENT_KEYS = 2000;

/** Names through which an object could reach another's prototype. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** One thing wrong with the arguments; `pointer` is a JSON pointer (RFC 6901), `""` for the whole. */
export interface ArgumentProblem {
  readonly pointer: string;
  readonly message: string;
}

/** Arguments that anything may read, or why nothing may. */
export type BoundArguments =
  { readonly ok: true; readonly value: JsonObject } | { readonly ok: false; readonly problem: ArgumentProblem };

/**
 * The arguments as an object within bounds, or the first problem. Nothing reads them before this: no schema,
 * no policy. Absent arguments are `{}`.
 */
export function boundArguments(value: unknown): BoundArguments {
  if (value === undefined || value === null) return { ok: true, value: {} };
  if (typeof value !== "object" || Array.isArray(value)) return refused("", "send the arguments as a JSON object");
  const problem = new Bounds().flawOf(value, "", 1);
  if (problem !== null) return { ok: false, problem };
  if (Buffer.byteLength(JSON.stringify(value)) > MAX_ARGUMENT_BYTES)
    return refused("", `the arguments weigh more than ${MAX_ARGUMENT_BYTES / 1024} KiB`);
  return { ok: true, value: value as JsonObject };
}

function refused(pointer: string, message: string): BoundArguments {
  return { ok: false, problem: { pointer, message } };
}

/** Counts keys over one value; stops at the first flaw, so that hostile nesting cannot exhaust the stack. */
class Bounds {
  #keys = 0;

  flawOf(value: unknown, pointer: string, depth: number): ArgumentProblem | null {
    if (typeof value === "string") return flawOfText(value, pointer);
    if (typeof value === "number" && !Number.isFinite(value)) return { pointer, message: "is not a finite number" };
    if (typeof value !== "object" || value === null) return null;
    if (depth > MAX_ARGUMENT_DEPTH) return { pointer, message: `nested deeper than ${MAX_ARGUMENT_DEPTH} levels` };
    const isList = Array.isArray(value);
    for (const [key, item] of Object.entries(value)) {
      const here = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      const flaw = (isList ? null : this.#flawOfKey(key, here)) ?? this.flawOf(item, here, depth + 1);
      if (flaw !== null) return flaw;
    }
    return null;
  }

  #flawOfKey(key: string, pointer: string): ArgumentProblem | null {
    this.#keys += 1;
    if (this.#keys > MAX_ARGUMENT_KEYS) return { pointer: "", message: `more than ${MAX_ARGUMENT_KEYS} keys` };
    if (FORBIDDEN_KEYS.has(key)) return { pointer, message: `the key \`${key}\` is not allowed` };
    return flawOfText(key, pointer);
  }
}

function flawOfText(text: string, pointer: string): ArgumentProblem | null {
  if (text.includes("\0")) return { pointer, message: "contains a NUL character" };
  return /\p{Surrogate}/u.test(text) ? { pointer, message: "contains half of a surrogate pair" } : null;
}
