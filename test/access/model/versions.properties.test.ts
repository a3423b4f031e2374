import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compareVersions, parseVersion } from "@/lib/access/model/versions";
import { compareVersions as compareByOracle, readVersion } from "@/test/access/oracle/versions";

const SEED = 43;

/** Numbers that a double cannot tell apart, such as build times in milliseconds, stand among small ones. */
const numbers = fc.constantFrom("0", "1", "2", "10", "20261123071258123", "20261123071258124", "01");
const identifiers = fc.oneof(numbers, fc.constantFrom("alpha", "beta", "rc1", "-", "1a", "A", ""));
const versions = fc
  .tuple(
    fc.constantFrom("", "", "", "v", " "),
    fc.array(numbers, { minLength: 3, maxLength: 3 }),
    fc.array(identifiers, { maxLength: 3 }),
    fc.constantFrom("", "", "+5", "+"),
  )
  .map(
    ([before, core, pre, build]) => `${before}${core.join(".")}${pre.length > 0 ? `-${pre.join(".")}` : ""}${build}`,
  );

test("two texts are versions, and in this order, to us exactly as to the oracle", () => {
  let compared = 0;
  const read = (text: string) => {
    const [ours, expected] = [parseVersion(text), readVersion(text)];
    expect([text, ours === null]).toEqual([text, expected === null]);
    return ours === null || expected === null ? null : { ours, expected };
  };
  const agree = (first: string, second: string) => {
    const [left, right] = [read(first), read(second)];
    if (left === null || right === null) return;
    compared += 1;
    const order = Math.sign(compareVersions(left.ours, right.ours));
    expect([first, second, order]).toEqual([first, second, Math.sign(compareByOracle(left.expected, right.expected))]);
  };
  fc.assert(fc.property(versions, versions, agree), { seed: SEED, numRuns: 20_000 });
  expect(compared).toBeGreaterThan(800);
});
