import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addSparse, emptyBits, hasBit, numbersOf, popcount, setBit, toSparse } from "@/lib/access/model/bitset";
import { BoundedCache } from "@/lib/access/model/bounded-cache";
import { boundClaims, parseClaimPath, readClaim } from "@/lib/access/model/claims";
import type { Json } from "@/lib/access/model/configuration";
import { isProblem } from "@/lib/access/model/problem";
import { moveTime, parseDuration, parseTime } from "@/lib/access/model/times";

const numbers = fc.uniqueArray(fc.nat(199), { maxLength: 80 });
const bitsOf = (members: readonly number[]) => {
  const bits = emptyBits(200);
  for (const n of members) setBit(bits, n);
  return bits;
};

describe("a set of numbers", () => {
  test("holds the added numbers in ascending order, dense or sparse", () => {
    fc.assert(
      fc.property(numbers, numbers, (left, right) => {
        const sparse = toSparse(bitsOf(left));
        expect(sparse.count).toBe(left.length);
        const united = bitsOf(right);
        addSparse(united, sparse);
        expect(numbersOf(united)).toEqual([...new Set([...left, ...right])].toSorted((a, b) => a - b));
        expect(left.every((n) => hasBit(united, n))).toBe(true);
      }),
      { seed: 1 },
    );
  });

  test("counts the bits of any word", () => {
    fc.assert(
      fc.property(fc.integer(), (word) => {
        expect(popcount(word)).toBe((word >>> 0).toString(2).replaceAll("0", "").length);
      }),
      { seed: 1 },
    );
  });
});

describe("a claim path", () => {
  test.each([
    "",
    ".",
    "a.",
    ".a",
    "a..b",
    "a[",
    "a[]",
    "a[-1]",
    "a[x]",
    'a["x]',
    'a["x"',
    "a]b",
    "a[0]b",
    'a["\\q"]',
    "a['x']",
  ])("%j is refused with the place of the mistake", (text) => expect(parseClaimPath(text)).toHaveProperty("problem"));

  test("finds nothing under prototype names, even own ones, and nothing in text", () => {
    const claims = JSON.parse('{"__proto__":{"a":1},"constructor":"x","text":"abc","list":[1]}');
    const read = (text: string) => {
      const path = parseClaimPath(text);
      return isProblem(path) ? path : readClaim(claims, path);
    };
    for (const text of [
      "__proto__",
      "__proto__.a",
      "constructor",
      "toString",
      "text.length",
      "list.length",
      "list.0",
      "text[0]",
    ])
      expect([text, read(text)]).toEqual([text, undefined]);
    expect(read("list[0]")).toBe(1);
  });
});

describe("claims are checked before other code reads them", () => {
  const nested = (depth: number): Json => (depth === 1 ? {} : { a: nested(depth - 1) });

  test("8 levels are the most, including the claims object", () => {
    expect(boundClaims(nested(8) as never)).toBeNull();
    expect(boundClaims(nested(9) as never)?.problem).toMatch(/8 deep/);
  });

  test("64 KiB of UTF-8 is the most", () => {
    expect(boundClaims({ a: "é".repeat(32 * 1024 - 4) })).toBeNull();
    expect(boundClaims({ a: "é".repeat(32 * 1024 - 3) })?.problem).toMatch(/64 KiB/);
  });

  test("nesting a million deep is refused, not a stack overflow", () => {
    let deep: Json = {};
    for (let i = 0; i < 1_000_000; i += 1) deep = [deep];
    expect(boundClaims({ deep })?.problem).toMatch(/deep/);
  });
});

describe("times", () => {
  test.each([
    ["2024-02-29T23:59:60Z", Date.UTC(2024, 2, 1)],
    ["2026-01-01T00:00:00.125+05:30", Date.UTC(2025, 11, 31, 18, 30, 0, 125)],
    ["0001-01-01t00:00:00z", Date.parse("0001-01-01T00:00:00Z")],
  ])("%s is read", (text, time) => expect(parseTime(text)).toBe(time));

  test.each([
    "2026-02-29T00:00:00Z",
    "2026-01-01",
    "2026-01-01T00:00:00",
    "2026-13-01T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "1 Jan 2026",
  ])("%s is no time", (text) => expect(parseTime(text)).toBeNull());

  test.each(["P", "PT", "P1", "1D", "P-1D", "PT1D", "P1H", "P1.5D", "p1d"])("%s is no duration", (text) =>
    expect(parseDuration(text)).toBeNull(),
  );

  test("months are calendar steps in UTC, the day limited to the month's last", () => {
    const moved = (from: string, duration: string, sign: 1 | -1) =>
      new Date(
        moveTime(Date.parse(from), parseDuration(duration) ?? { months: 0, milliseconds: 0 }, sign),
      ).toISOString();
    expect(moved("2026-01-31T12:00:00Z", "P1M", 1)).toBe("2026-02-28T12:00:00.000Z");
    expect(moved("2024-03-31T12:00:00Z", "P1M", -1)).toBe("2024-02-29T12:00:00.000Z");
    expect(moved("2024-02-29T12:00:00Z", "P1Y", -1)).toBe("2023-02-28T12:00:00.000Z");
    expect(moved("2026-01-31T00:00:00Z", "P1M1DT2H", 1)).toBe("2026-03-01T02:00:00.000Z");
  });
});

test("a bounded cache never exceeds its weight limit and evicts the oldest first", () => {
  const cache = new BoundedCache<string>(3);
  for (const [key, weight] of [
    ["a", 1],
    ["b", 1],
    ["c", 2],
  ] as const)
    cache.set(key, key, weight);
  expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([undefined, "b", "c"]);
  cache.set("d", "d", 4);
  expect(cache.size).toBe(0);
});

test("a bounded cache is full exactly at its limit; a replaced or deleted entry no longer counts", () => {
  const cache = new BoundedCache<number>(3);
  cache.set("a", 1, 1);
  cache.set("b", 1, 2);
  expect(cache.size).toBe(2);
  cache.set("b", 2, 1);
  cache.set("c", 1, 1);
  expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([1, 2, 1]);
  cache.delete("b");
  cache.delete("b");
  cache.set("d", 1, 1);
  expect([cache.get("a"), cache.get("b"), cache.size]).toEqual([1, undefined, 3]);
});
