import { z } from "zod";
import { outcomeCounts } from "@/lib/contracts/log/histogram";
import { instant } from "@/lib/resources/parts/name";

/** The longest stretch of time that an overview is computed of: what the log keeps (docs/reference/log.md#rows). */
export const LONGEST_OVERVIEW_DAYS = 400;

/** `GET /api/admin/overview`; `from <= at < to`. Absent: the last 24 hours. */
export const overviewQuery = z.strictObject({ from: instant.optional(), to: instant.optional() });

/** Milliseconds below which half, 95 % and 99 % of the calls stayed; `null` = there was none to measure. */
const percentiles = z.object({ p50: z.number(), p95: z.number(), p99: z.number() }).nullable();

const measured = outcomeCounts.extend({
  calls: z.int(),
  /** Our own work, refusals included. */
  gateway: percentiles,
  /** Time spent in tools. */
  upstream: percentiles,
  /** Both together. */
  taken: percentiles,
});

/** What went through in a stretch of time: in all, step by step, what refused most, and how the sources did. */
export const overviewOutput = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  /** Milliseconds that one bucket is wide. */
  stepMs: z.int(),
  /** Whether there was any call, ever: an installation without one is led to its first. */
  used: z.boolean(),
  total: measured,
  buckets: z.array(measured.extend({ at: z.iso.datetime() })),
  /** What refused most, most first; `policy` = the one that took away, where one did. */
  refusals: z.array(z.object({ reason: z.string(), policy: z.string().nullable(), calls: z.int() })),
  /** Sources by calls, most first. */
  sources: z.array(
    z.object({ source: z.string(), calls: z.int(), failed: z.int(), denied: z.int(), upstream: percentiles }),
  ),
});

/** Its question. */
export type OverviewQuery = z.output<typeof overviewQuery>;
/** The overview. */
export type OverviewOutput = z.output<typeof overviewOutput>;
/** One bucket of it. */
export type OverviewBucket = OverviewOutput["buckets"][number];
/** p50, p95 and p99 in milliseconds. */
export type Percentiles = z.output<typeof percentiles>;
