import { expect, test } from "vitest";
import { compileGlob } from "@/lib/access/matching/globs";
import { claimGlobMatches, selectorPatternMatches } from "@/test/access/oracle/patterns";

/** Every text of at most `longest` letters. */
function wordsOver(letters: readonly string[], longest: number): readonly string[] {
  const words = [""];
  for (let at = 0; words[at]!.length < longest; at += 1) words.push(...letters.map((letter) => words[at]! + letter));
  return words;
}

const shortTexts = wordsOver(["a", "b", "[", "!", "]"], 3);
const bracketed = "[a] [b]a [ab] [!a] [!ab]* *[!a] [a]b*[!b] [[] [!] [!!] [a*]b []a] ][a] a[ *?*".split(" ");
const patterns = [...wordsOver(["a", "*", "?", "[", "!", "]"], 3), ...bracketed];

test("a short pattern accepts the same short texts as the oracle, with and without brackets", () => {
  const wrong: string[] = [];
  for (const pattern of patterns) {
    const [plain, withClasses] = [compileGlob(pattern, false), compileGlob(pattern, true)];
    for (const text of shortTexts) {
      if (plain(text) !== claimGlobMatches(pattern, text)) wrong.push(`${pattern} of ${text}`);
      if (withClasses(text) !== selectorPatternMatches(pattern, text)) wrong.push(`${pattern}, brackets, of ${text}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("a pattern of runs and longer parts accepts the same texts of two letters as the oracle", () => {
  const parts = "ab* *ab a*b ab*ba *ab* a*b*a ab**ba a*ba*b *a*b* *ab*b a*ba*a ** a*b*a* a*?b ?b*a?*".split(" ");
  const wrong: string[] = [];
  for (const pattern of parts)
    for (const text of wordsOver(["a", "b"], 7))
      if (compileGlob(pattern, false)(text) !== claimGlobMatches(pattern, text)) wrong.push(`${pattern} of ${text}`);
  expect(wrong).toEqual([]);
});

test.each([
  ["?", "🔑", true],
  ["??", "🔑", false],
  ["?*🔒", "🔑🔒", true],
  ["*?🔒", "🔑🔑🔒", true],
  ["🔑?", "🔑🔒", true],
  ["🔑?", "🔒🔒", false],
  ["[🔑🔒]", "🔒", true],
  ["[!🔑]", "🔑", false],
  ["[🔑]b", "🔑b", true],
  ["*[!🔑]", "🔑", false],
  ["?*\uffffa", "\uffff\uffffa", true],
  ["*[!a]\uffff?", "\uffff\uffffb", true],
])("a character is a code point: %s of %s", (pattern, text, accepted) =>
  expect(compileGlob(pattern, true)(text)).toBe(accepted),
);
