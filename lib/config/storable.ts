import { dotted, flawIn } from "@/lib/access/model/storable";
import type { DocumentProblem } from "@/lib/config/problems";

/** Deeper than any schema needs; deeper recursion could exhaust the stack. */
const MAX_DEPTH = 64;

/**
 * The first place of a parsed value that no database stores (NUL, half of a surrogate pair), or that is nested too
 * deep; `null` when there is none.
 */
export function unstorable(value: unknown): DocumentProblem | null {
  const flaw = flawIn(value, MAX_DEPTH);
  return flaw === null ? null : { path: dotted(flaw.keys), message: flaw.message };
}
