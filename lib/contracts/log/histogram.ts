import { z } from "zod";

/** Calls by outcome; `open` = running, or waiting for a person. */
export const outcomeCounts = z.object({
  succeeded: z.int(),
  failed: z.int(),
  denied: z.int(),
  cancelled: z.int(),
  open: z.int(),
});

/** Outcomes over time: one bucket per step between `from` and `to`, empty ones included. `at` is its start. */
export const executionHistogram = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  /** The width of one bucket, in milliseconds. */
  stepMs: z.int(),
  buckets: z.array(outcomeCounts.extend({ at: z.iso.datetime() })),
});

/** Counts by outcome. */
export type OutcomeCounts = z.output<typeof outcomeCounts>;
/** The histogram. */
export type ExecutionHistogram = z.output<typeof executionHistogram>;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Bucket widths that a person can read, in milliseconds. */
const STEPS: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 28].map((count) => count * DAY),
];

/** The most buckets of a histogram, not counting the one that its start cuts. */
const MAX_BUCKETS = 60;

/** The smallest width at which a period fits into a histogram, both in milliseconds; beyond four and a half years whole multiples of 28 days. */
export function stepFor(length: number): number {
  const longest = 28 * DAY;
  return STEPS.find((step) => length / step <= MAX_BUCKETS) ?? Math.ceil(length / MAX_BUCKETS / longest) * longest;
}

/**
 * The start of each bucket of a period, in epoch milliseconds: whole steps since 1970, the first at or before `from`.
 * `step` is in milliseconds.
 */
export function bucketsOf(from: number, to: number, step: number): number[] {
  const first = Math.floor(from / step) * step;
  return Array.from({ length: Math.max(0, Math.ceil((to - first) / step)) }, (_, index) => first + index * step);
}
