import type { FlowCall } from "@/lib/access/flow/replay";
import { logRowsOf } from "@/lib/store/db/database";
import { Prisma } from "@/lib/store/generated/client";
import { CALLS_OF_AGENTS } from "@/lib/store/log/refused-attempts";

/** A span of time: `from <= time < until`. */
export interface Span {
  readonly from: Date;
  readonly until: Date;
}

/** A logged call that ran, or that a flow rule refused. */
export interface LoggedFlowCall extends FlowCall {
  /** The agent, else the subject. */
  readonly who: string;
}

interface Columns extends Omit<LoggedFlowCall, "at"> {
  readonly at: Date;
  readonly isJudged: boolean;
}

/** Rows of one statement. */
const CALLS_PER_READ = 2_000;

/** Calls of tools by agents. */
const REAL = Prisma.sql`"toolId" IS NOT NULL AND ${CALLS_OF_AGENTS}`;

/**
 * The latest calls of a span, at most `most`: their number, and the time of the first of them.
 *
 * @throws AppError `config_unavailable`
 */
export async function measureCalls(
  { from, until }: Span,
  most: number,
): Promise<{ readonly calls: number; readonly first: Date | null }> {
  const [found] = await logRowsOf<{ calls: number; first: Date | null }>(Prisma.sql`
    SELECT count(*)::int AS "calls", min("at") AS "first" FROM (
      SELECT "at" FROM execution WHERE ${REAL} AND "at" >= ${from} AND "at" < ${until}
      ORDER BY "at" DESC, "callId" DESC LIMIT ${most}
    ) latest`);
  return found ?? { calls: 0, first: null };
}

/**
 * The calls of a span that ran or that a flow rule refused, oldest first, in pages. Other refused calls raised nothing, and
 * no flow rule decides them.
 *
 * @throws AppError `config_unavailable`
 */
export async function* readFlowCalls(
  { from, until }: Span,
  size = CALLS_PER_READ,
): AsyncGenerator<{ readonly read: number; readonly calls: readonly LoggedFlowCall[] }, void, undefined> {
  let after: { readonly at: Date; readonly callId: string } = { at: from, callId: "" };
  for (;;) {
    const rows = await logRowsOf<Columns>(pageSql(after, until, size));
    const calls = rows
      .filter(({ isJudged }) => isJudged)
      .map(({ isJudged: _isJudged, ...row }) => ({ ...row, at: row.at.getTime() }));
    yield { read: rows.length, calls };
    const last = rows.at(-1);
    if (last === undefined || rows.length < size) return;
    after = last;
  }
}

/**
 * The condition on "at" alone lets Postgres skip earlier months. The lateral join makes it look outcomes up by index for the
 * rows of the page, whatever it estimates.
 */
function pageSql(after: { readonly at: Date; readonly callId: string }, until: Date, size: number): Prisma.Sql {
  return Prisma.sql`
    SELECT execution.*, outcome."status" IS DISTINCT FROM 'denied' OR outcome."reason" = 'flow_restricted' AS "isJudged"
    FROM (
      SELECT "callId", "at", "toolId", "issuer", "subject", COALESCE("agent", "subject") AS "who", "session", "parent"
      FROM execution
      WHERE ${REAL} AND "at" >= ${after.at} AND "at" < ${until} AND ("at", "callId") > (${after.at}, ${after.callId})
      ORDER BY "at", "callId" LIMIT ${size}
    ) execution
    LEFT JOIN LATERAL (
      SELECT "status", "reason" FROM execution_outcome ended
      WHERE ended."callId" = execution."callId" AND ended."callAt" = execution."at" LIMIT 1
    ) outcome ON true
    ORDER BY execution."at", execution."callId"`;
}
