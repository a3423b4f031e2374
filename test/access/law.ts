import * as fc from "fast-check";
import { worlds, type World } from "@/test/access/worlds";

/** The seed of every law. */
export const seed = 1789;

/**
 * A check over generated values that several tests share, because to generate worlds costs more than most checks. A
 * failure is repeated on newly generated values, so that fast-check can reduce it to a small example.
 */
export function forEachOf<Value>(
  values: fc.Arbitrary<Value>,
  settings: { readonly seed: number; readonly numRuns: number },
): (holds: (value: Value) => void) => void {
  let generated: readonly Value[] | undefined;
  return (holds) => {
    generated ??= fc.sample(values, settings);
    try {
      for (const value of generated) holds(value);
    } catch (error) {
      fc.assert(fc.property(values, holds), settings);
      throw error;
    }
  };
}

/** The worlds of all laws of a process, as many as the longest law needed. */
let generatedWorlds: readonly World[] = [];

/** A law over worlds with a free choice in each. A failure is repeated with its choice, on newly generated worlds. */
export function law<Choice>(
  choice: fc.Arbitrary<Choice>,
  holds: (world: World, choice: Choice) => void,
  numRuns = 1_000,
): void {
  if (generatedWorlds.length < numRuns) generatedWorlds = fc.sample(worlds, { seed, numRuns });
  for (const [at, picked] of fc.sample(choice, { seed, numRuns }).entries()) {
    try {
      holds(generatedWorlds[at]!, picked);
    } catch (error) {
      const again = fc.property(worlds, (world) => holds(world, picked));
      fc.assert(again, { seed, numRuns });
      throw error;
    }
  }
}

/** A free number that picks an element. */
export const some = fc.nat({ max: 1_000 });
/** The element that a free number picks; `null` from an empty list. */
export const chosen = <Value>(values: readonly Value[], number: number): Value | null =>
  values[number % Math.max(values.length, 1)] ?? null;
