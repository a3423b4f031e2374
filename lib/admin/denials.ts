import { AppError } from "@/lib/errors";
import { DENIAL_DAYS, type DenialDetail, type DenialQuery, type DenialRow } from "@/lib/contracts/decisions/denial";
import { REFUSED_BY_PERSON } from "@/lib/resources/parts/words";
import { toTotal, type Page } from "@/lib/contracts/changes/list";
import { db } from "@/lib/store/db/database";
import { all, filtersOf } from "@/lib/store/log/execution-filters";
import { CALLS_OF_AGENTS } from "@/lib/store/log/refused-attempts";
import { namesFor } from "@/lib/store/log/execution-search";
import { Prisma } from "@/lib/store/generated/client";
import { cursorAfter, readCursor, readSort, type Sort } from "@/lib/store/db/keyset";

/** The fields that make refusals one kind: the same caller, tool and rule. */
type Kind = Pick<DenialRow, "issuer" | "subject" | "tool" | "reason" | "policy">;
/** One kind, as these statements select it. */
type Grouped = Omit<DenialRow, "firstAt" | "lastAt" | "handledAt"> & {
  /** The key under which its handling is stored. */
  readonly kind: string;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly handledAt: Date | null;
};

const SORTS = { lastAt: "time", calls: "number" } as const;
const DAY = 24 * 3_600_000;
/** Time span of the calls of one kind, in milliseconds. */
const KIND_SPAN_MS = 30 * DAY;

/** Refused calls of agents. */
const REFUSED = Prisma.sql`
  FROM execution_outcome outcome
  JOIN execution ON execution."callId" = outcome."callId" AND execution."at" = outcome."callAt"
  WHERE outcome."status" = 'denied' AND ${CALLS_OF_AGENTS}`;
const TOOL = Prisma.sql`COALESCE(execution."toolId", execution."asked")`;
const REASON = Prisma.sql`COALESCE(outcome."reason", outcome."code", '')`;
const POLICY = Prisma.sql`CASE WHEN outcome."reason" = 'denied_by_policy' THEN execution."policies"[1] END`;

/**
 * Lists the refusals of agents' calls by kind, in one statement that finds them by index. A kind is open if it was refused
 * after somebody handled it, unless people refused its calls. Covers a week unless `from` says otherwise; `now` is epoch milliseconds.
 *
 * @throws AppError `invalid_request` for an unknown sort or cursor; `config_unavailable`
 */
export async function listDenials(query: DenialQuery, now: number): Promise<Page<DenialRow>> {
  const { sort: sorting, limit, cursor, state, from, to, ...filters } = query;
  const sort = readSort(sorting ?? "-lastAt", SORTS, "id");
  const since = from === undefined ? new Date(now - DENIAL_DAYS * DAY) : new Date(from);
  const until = to === undefined ? null : new Date(to);
  const refused = all([...refusedBetween(since, until), ...filtersOf(filters, await namesFor(filters.q))]);
  const open = Prisma.sql`("handledAt" IS NULL OR "handledAt" < "lastAt")`;
  const order = Prisma.raw(sort.direction);
  const rows = await db().$queryRaw<(Grouped & { readonly total: number })[]>`
    WITH ${kindsWhere(refused)}, shown AS (SELECT * FROM kinds WHERE ${state === "open" ? open : Prisma.sql`NOT ${open}`})
    SELECT *, (SELECT count(*)::int FROM shown) AS "total" FROM shown
    WHERE ${cursor === undefined ? Prisma.sql`TRUE` : after(cursor, sort)}
    ORDER BY ${Prisma.raw(`"${sort.column}"`)} ${order}, "id" ${order} LIMIT ${limit + 1}`;
  const items = rows.slice(0, limit);
  const last = rows.length > limit ? items.at(-1) : undefined;
  return {
    items: items.map(toRow),
    nextCursor: last === undefined ? null : cursorAfter({ ...last }, sort),
    ...toTotal(rows[0]?.total ?? 0),
  };
}

/** A kind of refusal with its latest calls, newest first. */
interface Denial {
  readonly row: DenialRow;
  readonly calls: DenialDetail["examples"];
}

/**
 * The kind of a refused call (by id) over the last 30 days; `null` when there is no such refusal.
 *
 * @param most the number of its calls to return
 * @throws AppError `config_unavailable`
 */
export async function findDenial(callId: string, now: number, most: number): Promise<Denial | null> {
  const named = await kindOf(callId);
  if (named === null) return null;
  const since = new Date(Math.min(now - KIND_SPAN_MS, named.at.getTime()));
  const same = all([...refusedBetween(since, null), ...conditionsOf(named)]);
  const [rows, calls] = await Promise.all([
    db().$queryRaw<Grouped[]>`WITH ${kindsWhere(same)} SELECT * FROM kinds`,
    db().$queryRaw<(Omit<Denial["calls"][number], "at"> & { readonly at: Date })[]>`
      SELECT execution."callId", execution."at", execution."session" ${REFUSED} AND ${same} ORDER BY outcome."at" DESC, execution."callId" DESC LIMIT ${most}`,
  ]);
  const [row] = rows;
  if (row === undefined) return null;
  return { row: toRow(row), calls: calls.map((call) => ({ ...call, at: call.at.toISOString() })) };
}

/**
 * Removes the kind of a refused call from the inbox until a refusal after `at`; with `null`, puts it back. Returns whether
 * there is such a refusal.
 *
 * @throws AppError `conflict` for the return of what a person refused, which is never in the inbox; `config_unavailable`
 */
export async function markHandled(callId: string, actor: string, at: Date | null): Promise<boolean> {
  const named = await kindOf(callId);
  if (named === null) return false;
  const { kind: id, reason } = named;
  if (at === null && reason === REFUSED_BY_PERSON)
    throw new AppError("conflict", "A person refused these calls. Their answer stays: there is nothing to reopen.");
  await (at === null
    ? db().handledDenial.deleteMany({ where: { id } })
    : db().handledDenial.upsert({ where: { id }, create: { id, at, actor }, update: { at, actor } }));
  return true;
}

/** The kind of a refused call, and when it was refused. */
async function kindOf(callId: string): Promise<(Kind & { readonly kind: string; readonly at: Date }) | null> {
  const [named] = await db().$queryRaw<(Kind & { readonly kind: string; readonly at: Date })[]>`
    SELECT "issuer", "subject", ${TOOL} AS "tool", ${REASON} AS "reason", ${POLICY} AS "policy", outcome."at",
      ${kindSql(Prisma.sql`execution."issuer", execution."subject", ${TOOL}, ${REASON}, ${POLICY}`)} AS "kind"
    ${REFUSED} AND execution."callId" = ${callId}`;
  return named ?? null;
}

function* refusedBetween(since: Date, until: Date | null): Generator<Prisma.Sql> {
  yield Prisma.sql`outcome."at" >= ${since.toISOString()}::timestamptz`;
  if (until !== null) yield Prisma.sql`outcome."at" < ${until.toISOString()}::timestamptz`;
}

function* conditionsOf({ issuer, subject, tool, reason, policy }: Kind): Generator<Prisma.Sql> {
  yield Prisma.sql`execution."issuer" = ${issuer} AND execution."subject" = ${subject}`;
  yield Prisma.sql`${TOOL} = ${tool} AND ${REASON} = ${reason} AND ${POLICY} IS NOT DISTINCT FROM ${policy}`;
}

/** The table `kinds`: refusals under these conditions, with one row per kind. */
function kindsWhere(refused: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`grouped AS (
    SELECT execution."issuer", execution."subject", ${TOOL} AS "tool", ${REASON} AS "reason", ${POLICY} AS "policy",
      max(execution."agent") AS "agent", max(outcome."code") AS "code", bool_or(execution."toolId" IS NOT NULL) AS "known",
      count(*)::int AS "calls", min(outcome."at") AS "firstAt", max(outcome."at") AS "lastAt",
      (array_agg(execution."callId" ORDER BY outcome."at" DESC, execution."callId" DESC))[1] AS "id"
    ${REFUSED} AND ${refused} GROUP BY 1, 2, 3, 4, 5
  ), kinds AS (
    SELECT grouped.*,
      CASE WHEN "reason" = ${REFUSED_BY_PERSON} THEN "lastAt" ELSE handled_denial."at" END AS "handledAt",
      CASE WHEN "reason" = ${REFUSED_BY_PERSON} THEN (SELECT "decidedBy" FROM approval WHERE approval."callId" = grouped."id")
        ELSE handled_denial."actor" END AS "handledBy"
    FROM grouped LEFT JOIN handled_denial
      ON handled_denial."id" = ${kindSql(Prisma.sql`"issuer", "subject", "tool", "reason", "policy"`)}
  )`;
}

/** A hash that identifies a kind. It has no key: a reader of the table who guesses a subject can test the guess. */
function kindSql(parts: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`encode(sha256(convert_to(jsonb_build_array(${parts})::text, 'UTF8')), 'hex')`;
}

function after(cursor: string, sort: Sort): Prisma.Sql {
  const [value, id] = readCursor(cursor, sort);
  const beyond = Prisma.raw(sort.direction === "asc" ? ">" : "<");
  const bound = sort.kind === "time" ? Prisma.sql`${value}::timestamptz` : Prisma.sql`${value}::int`;
  return Prisma.sql`(${Prisma.raw(`"${sort.column}"`)}, "id") ${beyond} (${bound}, ${id})`;
}

function toRow(grouped: Grouped): DenialRow {
  const { id, issuer, subject, agent, tool, known, code, reason, policy, calls, handledAt, handledBy } = grouped;
  const times = { firstAt: grouped.firstAt.toISOString(), lastAt: grouped.lastAt.toISOString() };
  const handled = { handledAt: handledAt?.toISOString() ?? null, handledBy };
  return { id, issuer, subject, agent, tool, known, code, reason, policy, calls, ...times, ...handled };
}
