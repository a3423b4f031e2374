import { describe, expect, test } from "vitest";
import { folded, linePairs, wordParts } from "@/components/ui/json/json-lines";

describe("two values side by side", () => {
  test("differ by value, not by the order of members", () => {
    expect(linePairs({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }).every(({ same }) => same)).toBe(true);
    const changed = linePairs({ a: 1, b: [1, 2] }, { b: [1, 3], a: 1 }).filter(({ same }) => !same);
    expect(changed).toEqual([
      { before: { number: 5, text: "    2" }, after: { number: 5, text: "    3" }, same: false },
    ]);
  });

  test("with one side only, every line is added or removed; null is a value", () => {
    expect(linePairs(undefined, { a: 1 }).map(({ before, after }) => [before, after?.text])).toEqual([
      [null, "{"],
      [null, '  "a": 1'],
      [null, "}"],
    ]);
    expect(linePairs(null, undefined)).toEqual([{ before: { number: 1, text: "null" }, after: null, same: false }]);
  });

  test("fold lines far from every change, and count them", () => {
    const value = (last: number) => ({ list: [1, 2, 3, 4, 5, 6, 7, 8, last] });
    const shown = folded(linePairs(value(9), value(10)));
    expect(shown.filter((row) => typeof row === "number")).toEqual([7]);
    expect(shown).toHaveLength(1 + 3 + 1 + 2);
  });

  test("are shown without a comparison when it would take too long", () => {
    const value = (of: string) => Array.from({ length: 20_000 }, (_, index) => `${of} ${index}`);
    const pairs = linePairs(value("a"), value("b"));
    expect(pairs.filter(({ before, after }) => before !== null && after !== null)).toHaveLength(20_002);
  });
});

describe("the words of two lines", () => {
  test("are compared one by one", () => {
    const changed = wordParts("limit 3 per day", "limit 5 per day").filter(({ added, removed }) => added || removed);
    expect(changed.map(({ value, added }) => [value, added])).toEqual([
      ["3", false],
      ["5", true],
    ]);
  });

  test("are not compared in lines that differ in thousands of words, which would hold the page for a minute", () => {
    const line = (of: string) => Array.from({ length: 4_000 }, (_, index) => `${of}${index}`).join(" ");
    expect(wordParts(line("a"), line("b")).map(({ value }) => value)).toEqual([line("a"), line("b")]);
  });
});
