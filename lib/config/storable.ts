import type { DocumentProblem } from "@/lib/config/problems";

/** Deeper than any schema needs; beyond it, recursion would be a danger. */
const DEEPEST = 64;

/**
 * The first place of a parsed value that no database stores (NUL, half of a surrogate pair) or that is
 * nested too deep to be looked at; `null` when there is none.
 */
export function unstorable(value: unknown, path = "", depth = 0): DocumentProblem | null {
  if (depth > DEEPEST) return { path, message: `nested deeper than ${DEEPEST} levels` };
  if (typeof value === "string") return flawOf(value, path);
  if (typeof value !== "object" || value === null) return null;
  for (const [key, item] of Object.entries(value)) {
    const here = Array.isArray(value) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    const flaw = flawOf(key, here) ?? unstorable(item, here, depth + 1);
    if (flaw !== null) return flaw;
  }
  return null;
}

function flawOf(text: string, path: string): DocumentProblem | null {
  if (text.includes("\0")) return { path, message: "contains a NUL character" };
  return /\p{Surrogate}/u.test(text) ? { path, message: "contains half of a surrogate pair" } : null;
}
