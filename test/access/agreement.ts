import * as fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { seenByCore } from "@/test/access/seen-by-core";
import { seenByOracle } from "@/test/access/seen-by-oracle";
import { worlds, type World } from "@/test/access/worlds";

/**
 * Requires that the core's complete answer equals the oracle's; a failure names the world and the difference. Returns
 * the number of visible tools.
 */
export function expectAgreement(world: World): number {
  const oracle = seenByOracle(world, world.calls);
  expectSame(seenByCore(world, world.calls), oracle);
  return oracle.visible.length;
}

/**
 * Deep equality, thousands of times: compares fast first, and uses the readable comparison only to explain a
 * difference.
 */
export function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}

/** Requires equal answers of core and oracle over many worlds, at least a third of which must show tools. */
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
