import { expect, test } from "vitest";
import { earlier, earlierOrEnded, reviewRule } from "@/lib/config/review/guards";

const [JUNE, JULY] = ["2026-06-01T00:00:00Z", "2026-07-01T00:00:00Z"];

test.each([
  [JULY, JUNE, "narrower"],
  [JUNE, JULY, "wider"],
  // Without an end, a credential would be valid for ever.
  [JUNE, null, "unknown"],
  [null, JULY, "unknown"],
])("the end of a credential, from %s to %s: %s", (before, after, direction) => {
  expect(earlier(before, after)).toBe(direction);
});

test.each([
  [JUNE, null, "narrower"],
  [JUNE, JULY, "wider"],
  [null, JULY, "unknown"],
])("the end of a replaced secret, from %s to %s: %s", (before, after, direction) => {
  expect(earlierOrEnded(before, after)).toBe(direction);
});

test.each([
  ["off", "widening", "narrower"],
  ["all", "widening", "wider"],
  [null, "all", "narrower"],
  ["all", "sometimes", "unknown"],
  ["sometimes", "off", "unknown"],
])("the mode of reviews, from %s to %s: %s", (before, after, direction) => {
  expect(reviewRule(before, after)).toBe(direction);
});
