import { z } from "zod";
import { outcomeCounts } from "@/lib/contracts/log/histogram";
import { instant } from "@/lib/resources/parts/name";

/** The longest period of an overview: what the log keeps (docs/reference/log.md#rows). */
export const MAX_OVERVIEW_DAYS = 400;

/** `GET /api/admin/overview`; `from <= at < to`. Absent: the last 24 hours. */
export const overviewQuery = z.strictObject({ from: instant.optional(), to: instant.optional() });

/** Milliseconds at the 50th, 95th and 99th percentile of calls; `null` = no calls to measure. */
const percentiles = z.object({ p50: z.number(), p95: z.number(), p99: z.number() }).nullable();

const measured = outcomeCounts.extend({
  calls: z.int(),
  /** The gateway's own time, refusals included. */
  gateway: percentiles,
  /** Time spent in tools. */
  upstream: percentiles,
  /** The sum of gateway and upstream time. */
  taken: percentiles,
});

/** The calls of a period: totals, a series, the most frequent refusals, and the sources. */
export const overviewOutput = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  /** The width of one bucket, in milliseconds. */
  stepMs: z.int(),
  /** Whether there was ever a call. An installation without calls leads the user to the first one. */
  used: z.boolean(),
  total: measured,
  buckets: z.array(measured.extend({ at: z.iso.datetime() })),
  /** The most frequent refusals first; `policy` = the denying policy, if any. */
  refusals: z.array(z.object({ reason: z.string(), policy: z.string().nullable(), calls: z.int() })),
  /** Sources with the most calls first. Only calls that were sent to the source count. */
  sources: z.array(
    z.object({
      source: z.string(),
      calls: z.int(),
      failed: z.int(),
      /** The failed calls that are the upstream's fault: not answered by a refusal of the tool itself. */
      failedUpstream: z.int(),
      upstream: percentiles,
    }),
  ),
});

/** The query of an overview. */
export type OverviewQuery = z.output<typeof overviewQuery>;
/** The overview. */
export type OverviewOutput = z.output<typeof overviewOutput>;
/** One bucket of an overview. */
export type OverviewBucket = OverviewOutput["buckets"][number];
/** p50, p95 and p99 in milliseconds. */
export type Percentiles = z.output<typeof percentiles>;
