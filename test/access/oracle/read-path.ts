import type { Json, JsonObject } from "@/lib/access/model/configuration";

/** One step of a claim path. */
type Step = { readonly key: string } | { readonly index: number };

/**
 * Reads a path character by character (docs/reference/decision.md#claim-paths): `a.b`, `["x.y"]`, `a[0]`. `null` for an
 * invalid path.
 */
export function readPath(text: string): readonly Step[] | null {
  const steps: Step[] = [];
  let at = 0;
  while (at < text.length) {
    if (text[at] === "[") {
      const close = text[at + 1] === '"' ? endOfQuoted(text, at + 1) : text.indexOf("]", at);
      if (close < 0 || text[close] !== "]") return null;
      const inside = text.slice(at + 1, close);
      if (inside.startsWith('"')) {
        const key = unquote(inside);
        if (key === null) return null;
        steps.push({ key });
      } else {
        if (inside === "" || [...inside].some((digit) => digit < "0" || digit > "9")) return null;
        steps.push({ index: Number(inside) });
      }
      at = close + 1;
      if (at < text.length && text[at] !== "." && text[at] !== "[") return null;
    } else {
      if (steps.length > 0) {
        if (text[at] !== ".") return null;
        at += 1;
      }
      let key = "";
      while (at < text.length && !".[]".includes(text[at]!)) key += text[at++];
      if (key === "" || text[at] === "]") return null;
      steps.push({ key });
    }
  }
  return steps.length === 0 ? null : steps;
}

/** The index of the bracket that closes a quoted name, or -1. */
function endOfQuoted(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return -1;
}

function unquote(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
}

/**
 * The value at a path: own properties only, never `__proto__` or `constructor`; `undefined` when missing (absent or
 * null).
 */
export function readClaim(claims: JsonObject, path: readonly Step[]): Json | undefined {
  let value: Json | undefined = claims;
  for (const step of path) {
    if (value === null || typeof value !== "object") return undefined;
    if ("index" in step) value = Array.isArray(value) ? (value[step.index] as Json | undefined) : undefined;
    else if (Array.isArray(value) || step.key === "__proto__" || step.key === "constructor") return undefined;
    else value = Object.entries(value).find(([name]) => name === step.key)?.[1];
  }
  return value === null ? undefined : value;
}
