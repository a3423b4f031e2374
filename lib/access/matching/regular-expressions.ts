import { RE2JS } from "re2js";
import type { Problem } from "@/lib/access/model/problem";

/** A pattern anchored at the start of its input. */
interface RegularExpression {
  /** The size of the compiled pattern: a test takes at most as many steps for each character. */
  readonly instructions: number;
  readonly test: (text: string) => boolean;
}

/**
 * Compiles an RE2 pattern, anchored at the start (write `$` for the end). RE2 matches in time linear in the input.
 * JavaScript's `RegExp` does not, so it never runs a pattern that a person typed.
 */
export function compileRegularExpression(pattern: string, ignoreCase: boolean): RegularExpression | Problem {
  try {
    const compiled = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    return { instructions: compiled.programSize(), test: (text) => compiled.matcher(text).lookingAt() };
  } catch (cause) {
    return {
      problem: `not a valid RE2 pattern: ${cause instanceof Error ? cause.message : "the pattern does not compile"}`,
    };
  }
}
