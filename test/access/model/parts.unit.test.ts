import * as fc from "fast-check";
import { expect, test } from "vitest";
import { atOnce, inParts, sortedInParts, type Parts } from "@/lib/access/model/parts";

const byKey = (left: readonly [number, number], right: readonly [number, number]) => left[0] - right[0];

function partsOf(parts: Parts<unknown>): number {
  for (let count = 1; ; count += 1) if (parts.next().done === true) return count;
}

test("rows sorted in parts are in the same order as rows sorted at once, equal ones too", () => {
  const keys = fc.array(fc.nat(50), { maxLength: 2_000, size: "max" });
  fc.assert(
    fc.property(keys, (numbers) => {
      const rows = numbers.map((key, at) => [key, at] as const);
      expect(atOnce(sortedInParts(rows, byKey))).toEqual(rows.toSorted(byKey));
    }),
    { numRuns: 50, seed: 1 },
  );
});

test("more rows are more parts, not longer ones", () => {
  const compared = (rows: number) => {
    let [most, since, all] = [0, 0, 0];
    const values = Array.from({ length: rows }, (_, at) => (at * 7919) % rows);
    const sorting = sortedInParts(values, (left, right) => {
      all += 1;
      return left - right;
    });
    while (sorting.next().done !== true) [most, since] = [Math.max(most, all - since), all];
    return most;
  };
  expect(compared(32_000)).toBeLessThan(2 * compared(1_000));
  const values = Array.from({ length: 10_000 }, (_, at) => at);
  const seen: number[] = [];
  expect(partsOf(inParts(values, (value, at) => seen.push(value - at)))).toBeGreaterThan(30);
  expect(seen).toEqual(values.map(() => 0));
});
