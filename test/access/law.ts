import * as fc from "fast-check";
import { worlds, type World } from "@/test/access/worlds";

/** The seed of every law. */
export const seed = 1789;

/** A law over worlds with a free choice in each. */
export function law<Choice>(
  choice: fc.Arbitrary<Choice>,
  holds: (world: World, choice: Choice) => void,
  numRuns = 1_000,
): void {
  fc.assert(fc.property(worlds, choice, holds), { seed, numRuns });
}

/** A free number that picks an element. */
export const some = fc.nat({ max: 1_000 });
/** The element that a free number picks; `null` from an empty list. */
export const chosen = <Value>(values: readonly Value[], number: number): Value | null =>
  values[number % Math.max(values.length, 1)] ?? null;
