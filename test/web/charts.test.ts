import { describe, expect, test } from "vitest";
import { milliseconds } from "@/components/charts/milliseconds";
import { outcomesInWords } from "@/components/charts/outcomes";
import { evenEnd, labelledMarks, niceEnd } from "@/components/charts/scale";
import { spanInWords, tickInWords } from "@/components/charts/time-words";
import { bucketsOf, stepFor } from "@/lib/contracts/log/histogram";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOON = Date.UTC(2026, 10, 21, 12);

describe("a picture of time", () => {
  test("has sixty steps at most, even over thousands of years, of a width that can be read", () => {
    for (const [length, step] of [
      [HOUR, MINUTE],
      [24 * HOUR, HOUR / 2],
      [7 * 24 * HOUR, 3 * HOUR],
      [30 * 24 * HOUR, 12 * HOUR],
    ] as const)
      expect(stepFor(length)).toBe(step);
    for (let length = 1; length < 8_000 * 365 * 24 * HOUR; length = length * 3 + 7)
      expect(length / stepFor(length)).toBeLessThanOrEqual(60);
  });

  test("begins with the whole step that its beginning lies in, and ends before its end", () => {
    const starts = bucketsOf(NOON + 5000, NOON + 3 * MINUTE, MINUTE);
    expect(starts).toEqual([NOON, NOON + MINUTE, NOON + 2 * MINUTE]);
    expect(bucketsOf(NOON, NOON, MINUTE)).toEqual([]);
  });

  test("labels round times of the reader's clock, and eight at most", () => {
    const starts = bucketsOf(NOON - 24 * HOUR, NOON, HOUR / 2);
    const hours = (ahead: number) =>
      labelledMarks(starts, ahead).map((index) => new Date((starts[index] ?? 0) - ahead * MINUTE).getUTCHours());
    expect(hours(0)).toEqual([12, 15, 18, 21, 0, 3, 6, 9]);
    expect(hours(-330)).toEqual([18, 21, 0, 3, 6, 9, 12, 15]);
    expect(labelledMarks([NOON + 1], 0)).toEqual([0]);
  });
});

test("an axis ends at a figure whose half can be read", () => {
  expect([0, 0.7, 1, 3, 7, 42, 880].map(niceEnd)).toEqual([1, 1, 1, 4, 10, 50, 1000]);
  expect([0, 1, 3, 5, 7, 42].map(evenEnd)).toEqual([2, 2, 4, 6, 10, 50]);
});

test("times and counts use only as many words as needed", () => {
  expect(tickInWords(NOON, MINUTE, "utc")).toBe("12:00");
  expect(tickInWords(NOON + 12 * HOUR, 3 * HOUR, "utc")).toBe("22 Nov");
  expect(spanInWords(NOON, NOON + HOUR / 2, "utc")).toBe("21 Nov, 12:00 – 12:30 UTC");
  expect(spanInWords(NOON, NOON + 24 * HOUR, "utc")).toBe("21 Nov, 12:00 – 22 Nov, 12:00 UTC");
  expect(milliseconds(0.42)).toBe("0.42 ms");
  expect(milliseconds(2510)).toBe("2.5 s");
  const none = { succeeded: 0, failed: 0, denied: 0, cancelled: 0, open: 0 };
  expect(outcomesInWords(none)).toBe("0 calls");
  expect(outcomesInWords({ ...none, succeeded: 1200, denied: 1 })).toBe("1,201 calls: 1,200 succeeded, 1 refused");
});
