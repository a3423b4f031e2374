import * as fc from "fast-check";
import { test } from "vitest";
import { isInRange, parseAddress, parseRange } from "@/lib/access/model/addresses";
import { contains, readAddress, readRange } from "@/test/access/oracle/addresses";

// The library reads more than RFC 4291 text: octal and hexadecimal parts, short IPv4, zones. The oracle has its own parser.

const SEED = 41;
const parts = ["0", "00", "1", "9", "10", "010", "0x1", "127", "255", "256", "1000", "a", "ffff", "FFFF", "12345", "g"];
const separators = [":", ":", "::", ".", ".", ""];
const ends = ["", "", "", "", "::", ":", "%1", "%eth0", " ", "/0", "/8", "/32", "/33", "/96", "/128", "/129", "/08"];

/** Text that is an address, or nearly one. */
const loose = fc
  .tuple(
    fc.constantFrom("", "", "::", ":", "::ffff:", "64:ff9b::"),
    fc.array(fc.tuple(fc.constantFrom(...parts), fc.constantFrom(...separators)), { maxLength: 9 }),
    fc.constantFrom(...ends),
  )
  .map(([start, middle, end]) => start + middle.map((pair) => pair.join("")).join("") + end);
const written = fc
  .tuple(
    fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.ipV4().map((text) => `::ffff:${text}`),
    ),
    fc.constantFrom(...ends),
  )
  .map((pair) => pair.join(""));
const texts = fc.oneof(loose, written);

function valueOf(bytes: readonly number[] | undefined): { bits: number; value: bigint } | null {
  if (bytes === undefined) return null;
  return { bits: bytes.length * 8, value: bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n) };
}

test("an address is the same number to the library and to the oracle, or is refused by both", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const ours = valueOf(parseAddress(text)?.toByteArray());
      const theirs = readAddress(text);
      return ours?.value === theirs?.value && ours?.bits === theirs?.bits;
    }),
    { seed: SEED, numRuns: 20_000 },
  );
});

test("a range has the same family and prefix in both, and contains the same addresses", () => {
  fc.assert(
    fc.property(texts, texts, (text, candidate) => {
      const [range, expected] = [parseRange(text), readRange(text)];
      if (range === null || expected === null) return range === expected;
      const [address, number] = [parseAddress(candidate), readAddress(candidate)];
      if (range.bits !== expected.length || range.address.toByteArray().length * 8 !== expected.bits) return false;
      return address === null || number === null || isInRange(address, range) === contains(expected, number);
    }),
    { seed: SEED, numRuns: 20_000 },
  );
});
