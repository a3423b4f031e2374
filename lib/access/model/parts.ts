/** Long work in short parts. A caller may run other work at each `yield`. The last part returns the result. */
export type Parts<Result> = Generator<void, Result, void>;

/** Runs all parts without a pause. */
export function atOnce<Result>(parts: Parts<Result>): Result {
  for (;;) {
    const part = parts.next();
    if (part.done === true) return part.value;
  }
}

/** The number of items in one part. Simple work on this many items takes less than a millisecond. */
const CHUNK = 256;

/** Does `work` for every item, with a pause after each chunk. */
export function* inParts<T>(items: Iterable<T>, work: (item: T, number: number) => void): Parts<void> {
  let number = 0;
  for (const item of items) {
    work(item, number);
    number += 1;
    if (number % CHUNK === 0) yield;
  }
}

/** Sorts as `toSorted` does, with pauses. */
export function* sortedInParts<T>(items: readonly T[], compare: (left: T, right: T) => number): Parts<T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += CHUNK) {
    runs.push(items.slice(at, at + CHUNK).toSorted(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* mergedInParts(runs[at] ?? [], runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergedInParts<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (left: T, right: T) => number,
): Parts<T[]> {
  // Rows are mostly sorted already. Then one comparison joins two runs.
  if (right.length === 0 || compare(left.at(-1) as T, right[0] as T) <= 0) return [...left, ...right];
  const merged: T[] = [];
  let at = 0;
  for (const next of right) {
    while (at < left.length && compare(left[at] as T, next) <= 0) {
      merged.push(left[at] as T);
      at += 1;
      if (merged.length % CHUNK === 0) yield;
    }
    merged.push(next);
    if (merged.length % CHUNK === 0) yield;
  }
  return [...merged, ...left.slice(at)];
}
