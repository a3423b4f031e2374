/** The end of an axis that begins at 0 and holds `most`: 1, 2, 4, 5 or 10 of its power of ten, so that its middle can be read too. */
export function niceEnd(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 4, 5, 10].find((factor) => factor * power >= most) ?? 10) * power;
}

/** The end of an axis of counts: even, so that its middle is a whole number too. */
export function evenEnd(most: number): number {
  const end = niceEnd(most);
  return end + (end % 2);
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Distances between the labels of a clock, in milliseconds. */
const DISTANCES: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12, 24, 48, 7 * 24, 14 * 24, 28 * 24].map((count) => count * HOUR),
];

/**
 * Which buckets of a picture of time get a label, so that few stand there, at round times of a clock that
 * UTC is `ahead` of (minutes, as `Date` says it). `starts` are epoch milliseconds, one step apart.
 */
export function labelledMarks(starts: readonly number[], ahead: number): number[] {
  const [first = 0] = starts;
  const length = (starts.at(-1) ?? 0) - first;
  const distance = DISTANCES.find((each) => length / each <= MAX_LABELS) ?? length;
  const marks = starts.flatMap((at, index) => ((at - ahead * MINUTE) % distance === 0 ? [index] : []));
  return marks.length > 0 ? marks : [0];
}

const MAX_LABELS = 8;
