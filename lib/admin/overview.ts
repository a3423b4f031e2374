import { AppError } from "@/lib/errors";
import { bucketsOf, stepFor, type OutcomeCounts } from "@/lib/contracts/log/histogram";
import {
  MAX_OVERVIEW_DAYS,
  type OverviewOutput,
  type OverviewQuery,
  type Percentiles,
} from "@/lib/contracts/changes/overview";
import { db } from "@/lib/store/db/database";
import { bucketSql, ZERO_COUNTS, OUTCOME_COUNTS } from "@/lib/store/log/execution-histogram";
import { all, filtersOf } from "@/lib/store/log/execution-filters";
import { CALLS_OF_AGENTS } from "@/lib/store/log/refused-attempts";
import { EXECUTION_JOIN } from "@/lib/store/log/executions";
import { Prisma } from "@/lib/store/generated/client";

const DAY = 24 * 3_600_000;
/** Most rules, and most sources, in an answer. */
const NAMED = 8;

/** p50, p95 and p99 in one list, or null. */
type Measured = readonly [number, number, number] | null;
/** Counts and measurements of some calls. */
interface Counted extends OutcomeCounts {
  readonly calls: number;
  readonly gateway: Measured;
  readonly upstream: Measured;
  readonly taken: Measured;
}

const PERCENTILES = Prisma.sql`percentile_cont(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP`;
const UPSTREAM = Prisma.sql`${PERCENTILES} (ORDER BY "upstreamMs") AS "upstream"`;

/**
 * Summarises the calls between two times: one statement for all figures, one for the rules that refused, one for the
 * sources. Each finds the calls by index. Ends at `now` unless `to` says otherwise.
 *
 * @throws AppError `invalid_request` naming `from`; `config_unavailable`
 */
export async function loadOverview(query: OverviewQuery, now: number): Promise<OverviewOutput> {
  const to = query.to === undefined ? now : Date.parse(query.to);
  const from = query.from === undefined ? to - DAY : Date.parse(query.from);
  requireRange(from, to);
  const step = stepFor(to - from);
  const bounds = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  const where = all([...filtersOf(bounds, null)]);
  const [counted, refusals, sources, [used]] = await Promise.all([
    db().$queryRaw<(Counted & { readonly at: Date | null })[]>`
      SELECT ${bucketSql(step)} AS "at", count(*)::int AS "calls", ${OUTCOME_COUNTS}, ${UPSTREAM},
        ${PERCENTILES} (ORDER BY "gatewayMs") AS "gateway",
        ${PERCENTILES} (ORDER BY "gatewayMs" + COALESCE("upstreamMs", 0)) AS "taken"
      ${EXECUTION_JOIN} WHERE ${where} GROUP BY GROUPING SETS ((1), ())`,
    db().$queryRaw<OverviewOutput["refusals"]>`
      SELECT COALESCE("reason", "code") AS "reason",
        CASE WHEN "reason" = 'denied_by_policy' THEN "policies"[1] END AS "policy", count(*)::int AS "calls"
      ${EXECUTION_JOIN} WHERE ${where} AND "status" = 'denied' GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT ${NAMED}`,
    db().$queryRaw<(Omit<OverviewOutput["sources"][number], "upstream"> & { readonly upstream: Measured })[]>`
      SELECT "source", count(*)::int AS "calls", ${OUTCOME_COUNTS}, ${UPSTREAM},
        count(*) FILTER (WHERE "status" = 'failed' AND "code" IS DISTINCT FROM 'tool_failed')::int AS "failedUpstream"
      ${EXECUTION_JOIN} WHERE ${where} AND "source" IS NOT NULL AND "attempts" > 0 GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${NAMED}`,
    db().$queryRaw<
      { readonly used: boolean }[]
    >`SELECT EXISTS (SELECT 1 FROM execution WHERE ${CALLS_OF_AGENTS}) AS "used"`,
  ]);
  const total = counted.find(({ at }) => at === null);
  const byTime = new Map(counted.map((row) => [row.at?.getTime(), row]));
  return {
    ...bounds,
    stepMs: step,
    used: used?.used ?? false,
    total: toMeasured(total),
    buckets: bucketsOf(from, to, step).map((at) => ({ at: new Date(at).toISOString(), ...toMeasured(byTime.get(at)) })),
    refusals,
    sources: sources.map(({ source, calls, failed, failedUpstream, upstream }) => ({
      source,
      calls,
      failed,
      failedUpstream,
      upstream: toPercentiles(upstream),
    })),
  };
}

function requireRange(from: number, to: number): void {
  const message =
    from >= to
      ? "must be before `to`"
      : to - from > MAX_OVERVIEW_DAYS * DAY
        ? `choose at most ${MAX_OVERVIEW_DAYS} days`
        : null;
  if (message !== null)
    throw new AppError("invalid_request", "The query is not valid.", { errors: [{ path: "from", message }] });
}

function toMeasured(row: Counted | undefined): OverviewOutput["total"] {
  const { calls, succeeded, failed, denied, cancelled, open } = row ?? { calls: 0, ...ZERO_COUNTS };
  return {
    calls,
    succeeded,
    failed,
    denied,
    cancelled,
    open,
    gateway: toPercentiles(row?.gateway ?? null),
    upstream: toPercentiles(row?.upstream ?? null),
    taken: toPercentiles(row?.taken ?? null),
  };
}

function toPercentiles(measured: Measured): Percentiles {
  if (measured === null) return null;
  const [p50, p95, p99] = measured;
  return { p50, p95, p99 };
}
