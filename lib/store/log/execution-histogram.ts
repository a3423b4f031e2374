import type { ExecutionFilters } from "@/lib/contracts/log/execution";
import { bucketsOf, stepFor, type ExecutionHistogram, type OutcomeCounts } from "@/lib/contracts/log/histogram";
import { db } from "@/lib/store/db/database";
import { all, filtersOf } from "@/lib/store/log/execution-filters";
import { namesFor, type SearchedNames } from "@/lib/store/log/execution-search";
import { EXECUTION_JOIN } from "@/lib/store/log/executions";
import { Prisma } from "@/lib/store/generated/client";
import { searchInTime } from "@/lib/store/db/search-in-time";

/** Time span of a histogram without `from`, in milliseconds. A whole log may cover years. */
const REACH_MS = 30 * 24 * 3_600_000;

/** Counts by outcome, as columns over `EXECUTION_JOIN`. */
export const OUTCOME_COUNTS = Prisma.sql`
  count(*) FILTER (WHERE "status" = 'succeeded')::int AS "succeeded", count(*) FILTER (WHERE "status" = 'failed')::int AS "failed",
  count(*) FILTER (WHERE "status" = 'denied')::int AS "denied", count(*) FILTER (WHERE "status" = 'cancelled')::int AS "cancelled",
  count(*) FILTER (WHERE "status" IS NULL)::int AS "open"`;

/** The start of a call's bucket, as a column over `EXECUTION_JOIN`. */
export function bucketSql(stepMs: number): Prisma.Sql {
  return Prisma.sql`date_bin(make_interval(secs => ${stepMs / 1000}::float8), execution."at", 'epoch'::timestamptz)`;
}

/**
 * Counts outcomes over time, with the same filters as the list. Ends at `now` without `to`.
 *
 * @throws AppError `invalid_request` for a search that takes too long; `config_unavailable`
 */
export async function histogramOf(query: ExecutionFilters, now: number): Promise<ExecutionHistogram> {
  const to = query.to === undefined ? now : Date.parse(query.to);
  const names = await namesFor(query.q);
  const from = query.from === undefined ? await firstSince(query, names, to - REACH_MS, to) : Date.parse(query.from);
  const stepMs = stepFor(to - from);
  const bounded = { ...query, from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  const rows = await searchInTime(
    query,
    () => db().$queryRaw<(OutcomeCounts & { readonly at: Date })[]>`
      SELECT ${bucketSql(stepMs)} AS "at", ${OUTCOME_COUNTS} ${EXECUTION_JOIN} WHERE ${all([...filtersOf(bounded, names)])} GROUP BY 1`,
  );
  const counted = new Map(rows.map(({ at, ...counts }) => [at.getTime(), counts]));
  const buckets = bucketsOf(from, to, stepMs).map((at) => ({
    at: new Date(at).toISOString(),
    ...(counted.get(at) ?? ZERO_COUNTS),
  }));
  return { from: bounded.from, to: bounded.to, stepMs, buckets };
}

/** The counts of a bucket without calls. */
export const ZERO_COUNTS: OutcomeCounts = { succeeded: 0, failed: 0, denied: 0, cancelled: 0, open: 0 };

/** When the first call of a time span began; the start of the span without calls. */
async function firstSince(
  query: ExecutionFilters,
  names: SearchedNames | null,
  from: number,
  to: number,
): Promise<number> {
  const bounded = { ...query, from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  const [first] = await searchInTime(
    query,
    () => db().$queryRaw<{ readonly at: Date }[]>`
      SELECT execution."at" ${EXECUTION_JOIN} WHERE ${all([...filtersOf(bounded, names)])} ORDER BY execution."at" LIMIT 1`,
  );
  return first?.at.getTime() ?? from;
}
