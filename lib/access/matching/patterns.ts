import { compileGlob } from "@/lib/access/matching/globs";
import { isProblem, type Problem } from "@/lib/access/model/problem";
import { compileRegularExpression } from "@/lib/access/matching/regular-expressions";

/** The prefix that makes a selector's pattern a regular expression. */
const REGEX_PREFIX = "regex:";

/** A compiled selector pattern. */
export interface Pattern {
  readonly text: string;
  /** True for `*`, which also matches a fact that the tool does not have. */
  readonly anything: boolean;
  /** `folded` is the lower-case text, so that callers fold a text once for many patterns. */
  readonly test: (text: string, folded?: string) => boolean;
}

/**
 * Compiles a selector's pattern (docs/reference/decision.md#group). `*` matches anything. `regex:` starts a
 * case-insensitive RE2 pattern, anchored at the start.
 * All else is a case-insensitive glob, anchored at both ends, with `*`, `?`, `[ab]` and `[!ab]`.
 */
export function compilePattern(text: string): Pattern | Problem {
  if (text === "*") return { text, anything: true, test: () => true };
  if (text.startsWith(REGEX_PREFIX)) {
    const expression = compileRegularExpression(text.slice(REGEX_PREFIX.length), true);
    return isProblem(expression) ? expression : { text, anything: false, test: (value) => expression.test(value) };
  }
  const glob = compileGlob(text.toLowerCase(), true);
  return { text, anything: false, test: (value, folded = value.toLowerCase()) => glob(folded) };
}

/** Why a pattern cannot be saved; `null` when it can. */
export function problemOfPattern(text: string): string | null {
  const pattern = compilePattern(text);
  return isProblem(pattern) ? pattern.problem : null;
}
