import * as fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { seenByCore } from "@/test/access/seen-by-core";
import { seenByOracle } from "@/test/access/seen-by-oracle";
import { worlds, type World } from "@/test/access/worlds";

/** The core's whole answer equals the oracle's; says which world and where it does not. Returns how many tools are visible. */
export function expectAgreement(world: World): number {
  const oracle = seenByOracle(world, world.calls);
  expectSame(seenByCore(world, world.calls), oracle);
  return oracle.visible.length;
}

/** Deep equality, thousands of times: the fast comparison first, the readable one only explains a difference. */
export function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}

/** Holds core and oracle to the same answers over many worlds, of which at least a third must show tools. */
export function expectAgreementOver(seed: number, count: number): void {
  let seen = 0;
  let showing = 0;
  fc.assert(
    fc.property(worlds, (world) => {
      const visible = expectAgreement(world);
      seen += 1;
      if (visible > 0) showing += 1;
    }),
    { seed, numRuns: count },
  );
  expect(showing / seen).toBeGreaterThanOrEqual(1 / 3);
}
