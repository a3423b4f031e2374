import { RE2JS } from "re2js";

/** Whether a claim's glob matches: `*` any run, `?` one character, all else literal. */
export function claimGlobMatches(glob: string, text: string): boolean {
  return walk([...glob], [...text], (letter, character) => letter === "?" || letter === character);
}

/**
 * Whether a selector's pattern matches one of a tool's facts (docs/reference/decision.md#selector). A `null` fact is
 * not stated: only `*` matches it. `"broken"`: the pattern does not compile.
 */
export function selectorPatternMatches(pattern: string, fact: string | null): boolean | "broken" {
  if (pattern === "*") return true;
  if (pattern.startsWith("regex:")) {
    const regex = readRegex(pattern.slice("regex:".length), true);
    if (regex === null) return "broken";
    return fact !== null && regex.matcher(fact).lookingAt();
  }
  if (fact === null) return false;
  const [letters, text] = [pieces(pattern.toLowerCase()), [...fact.toLowerCase()]];
  return walk(letters, text, (letter, character) => {
    if (letter === "?") return true;
    if (letter.length > 3 && letter.startsWith("[!")) return !letter.slice(2, -1).includes(character);
    if (letter.length > 1) return letter.slice(1, -1).includes(character);
    return letter === character;
  });
}

/**
 * A compiled RE2 expression, or `null` when the pattern does not compile. The engine is not under test, so its results are
 * cached.
 */
export function readRegex(text: string, ignoreCase: boolean): RE2JS | null {
  const key = `${String(ignoreCase)} ${text}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const regex = compileRegex(text, ignoreCase);
  compiled.set(key, regex);
  return regex;
}

const compiled = new Map<string, RE2JS | null>();

function compileRegex(text: string, ignoreCase: boolean): RE2JS | null {
  try {
    return RE2JS.compile(text, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  } catch {
    return null;
  }
}

/** The pattern's letters, each character class `[…]` as one. */
function pieces(pattern: string): readonly string[] {
  return pattern.match(/\[!?[^\]]+\]|[^]/gu) ?? [];
}

/** Matches a glob by definition: a `*` takes nothing, or takes one character and stays. */
function walk(
  glob: readonly string[],
  text: readonly string[],
  same: (letter: string, character: string) => boolean,
): boolean {
  const [letter, ...rest] = glob;
  if (letter === undefined) return text.length === 0;
  if (letter === "*") return walk(rest, text, same) || (text.length > 0 && walk(glob, text.slice(1), same));
  return text.length > 0 && same(letter, text[0]!) && walk(rest, text.slice(1), same);
}
