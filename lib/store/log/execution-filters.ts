import { AppError } from "@/lib/errors";
import type { ExecutionFilters, ExecutionQuery } from "@/lib/contracts/log/execution";
import { eitherOf, ofTools, searched, type Alternative, type SearchedNames } from "@/lib/store/log/execution-search";
import { Prisma } from "@/lib/store/generated/client";
import { isTime } from "@/lib/store/db/keyset";

// Builds the queries of the log so that each one reads an index: a log may have millions of calls.

/** Upper limit of a call's duration, in milliseconds: a tool's 300 s and a margin. */
export const MAX_CALL_MS = 900_000;

/** The columns by which a table refers to a call: the call's start and its id. */
interface CallColumns {
  readonly at: Prisma.Sql;
  readonly callId: Prisma.Sql;
}

/** In the table of calls. */
export const CALL_COLUMNS: CallColumns = { at: Prisma.sql`execution."at"`, callId: Prisma.sql`execution."callId"` };
const OUTCOME_COLUMNS: CallColumns = { at: Prisma.sql`outcome."callAt"`, callId: Prisma.sql`outcome."callId"` };

const WAITING = Prisma.sql`execution."callId" IN (SELECT "callId" FROM approval WHERE status = 'waiting')`;

/** Turns the log's filters into conditions on executions joined with their outcomes. `names`: what `q` searches for. */
export function* filtersOf(query: ExecutionFilters, names: SearchedNames | null): Generator<Prisma.Sql> {
  yield* timesOf(query, CALL_COLUMNS);
  yield* callsOf(query, names);
  yield* outcomesOf(query);
  if (query.status === "running") yield Prisma.sql`outcome."callId" IS NULL AND NOT ${WAITING}`;
}

/** Joins conditions with AND. Without any, every row matches. */
export function all(conditions: readonly Prisma.Sql[]): Prisma.Sql {
  return conditions.length === 0 ? Prisma.sql`TRUE` : Prisma.join([...conditions], " AND ");
}

/** The order of a list: by the start of the calls, newest first unless `sort=at`. */
export function orderOf({ sort }: Pick<ExecutionQuery, "sort">, { at, callId }: CallColumns): Prisma.Sql {
  return sort === "at" ? Prisma.sql`${at}, ${callId}` : Prisma.sql`${at} DESC, ${callId} DESC`;
}

/**
 * The first `limit` calls of a query after its cursor, as a table `execution`.
 *
 * @throws AppError `invalid_request` for a cursor that this list did not issue
 */
export function pageSql(query: ExecutionQuery, names: SearchedNames | null, limit: number): Prisma.Sql {
  const orderAndLimit = (columns: CallColumns) => Prisma.sql`ORDER BY ${orderOf(query, columns)} LIMIT ${limit}`;
  const { calls, isWhole } = firstCalls(query, names, orderAndLimit);
  if (isWhole) return Prisma.sql`(${calls}) execution`;
  return Prisma.sql`
    (SELECT execution.* FROM (${calls}) found CROSS JOIN LATERAL (
      SELECT * FROM execution WHERE "callId" = found."callId" AND "at" = found."at" LIMIT 1) execution) execution`;
}

/** Counts the calls of a query up to `most`, as a column `total`. */
export function countSql(query: ExecutionQuery, names: SearchedNames | null, most: number): Prisma.Sql {
  // The indexes of `policies` and `groups` are unordered (GIN). With an order, Postgres would not use them for this count,
  // and read the log up to the last call that counts.
  const hasUnorderedIndex = query.policy !== undefined || query.group !== undefined;
  const orderAndLimit = (columns: CallColumns) =>
    hasUnorderedIndex ? Prisma.sql`LIMIT ${most}` : Prisma.sql`ORDER BY ${orderOf(query, columns)} LIMIT ${most}`;
  return Prisma.sql`SELECT count(*)::int AS "total" FROM (${firstCalls(query, names, orderAndLimit).calls}) execution`;
}

/**
 * The first calls of a query, each found by an index: whole rows, or only their start and id. Outcome filters scan the
 * outcomes in the list's order: for a two-column join Postgres expects almost no rows and would read the whole log.
 */
function firstCalls(
  query: ExecutionQuery,
  names: SearchedNames | null,
  orderAndLimit: (columns: CallColumns) => Prisma.Sql,
): { readonly calls: Prisma.Sql; readonly isWhole: boolean } {
  const outcomes = [...outcomesOf(query)];
  const columns = outcomes.length === 0 ? CALL_COLUMNS : OUTCOME_COLUMNS;
  const bounds = [...boundsOf(query, columns)];
  if (outcomes.length > 0) {
    const calls = Prisma.sql`
      SELECT execution.* FROM execution_outcome outcome CROSS JOIN LATERAL (
        SELECT * FROM execution
        WHERE "callId" = outcome."callId" AND "at" = outcome."callAt" AND ${all([...callsOf(query, names)])} LIMIT 1) execution
      WHERE ${all([...bounds, ...outcomes])} ${orderAndLimit(columns)}`;
    return { calls, isWhole: true };
  }
  const [alternatives, rest] = splitByIndex(query, names);
  const conditions = [...bounds, ...rest, ...(query.status === "running" ? [running(new Date())] : [])];
  if (alternatives.length > 0)
    return { calls: firstOf(alternatives, conditions, orderAndLimit(columns)), isWhole: false };
  return {
    calls: Prisma.sql`SELECT * FROM execution WHERE ${all(conditions)} ${orderAndLimit(columns)}`,
    isWhole: true,
  };
}

/** Splits a query into the names that one of several indexes finds, and its other conditions on a call. */
function splitByIndex(
  query: ExecutionQuery,
  names: SearchedNames | null,
): readonly [readonly Alternative[], readonly Prisma.Sql[]] {
  const { tool, ...others } = query;
  if (tool !== undefined) return [ofTools([tool]), [...callsOf(others, names)]];
  return [names === null ? [] : searched(names), [...callsOf(query, null)]];
}

/**
 * Start and id of the first calls with a name in one of the columns. Each name scans its own index in the list's order.
 * With OR, Postgres would read and sort all of these calls for one page.
 */
function firstOf(
  alternatives: readonly Alternative[],
  conditions: readonly Prisma.Sql[],
  orderAndLimit: Prisma.Sql,
): Prisma.Sql {
  const each = alternatives.map(
    ({ column, names, where }) => Prisma.sql`
    (SELECT execution."at", execution."callId" FROM unnest(${names}::text[]) AS named CROSS JOIN LATERAL (
      SELECT "at", "callId" FROM execution
      WHERE ${all([Prisma.sql`${column} = named`, ...(where === undefined ? [] : [where]), ...conditions])} ${orderAndLimit}) execution
     ${orderAndLimit})`,
  );
  return Prisma.sql`SELECT * FROM (${Prisma.join(each, " UNION ")}) execution ${orderAndLimit}`;
}

function* timesOf({ from, to }: ExecutionFilters, { at }: CallColumns): Generator<Prisma.Sql> {
  if (from !== undefined) yield Prisma.sql`${at} >= ${new Date(from).toISOString()}::timestamptz`;
  if (to !== undefined) yield Prisma.sql`${at} < ${new Date(to).toISOString()}::timestamptz`;
}

function* callsOf(query: ExecutionFilters, names: SearchedNames | null): Generator<Prisma.Sql> {
  if (query.agent !== undefined) yield Prisma.sql`"agent" = ${query.agent}`;
  if (query.subject !== undefined) yield Prisma.sql`"subject" = ${query.subject}`;
  if (query.tool !== undefined) yield eitherOf(ofTools([query.tool]));
  if (query.source !== undefined) yield Prisma.sql`"source" = ${query.source}`;
  if (query.status === "awaiting_approval") yield WAITING;
  if (query.policy !== undefined) yield Prisma.sql`"policies" @> ARRAY[${query.policy}]::text[]`;
  if (query.group !== undefined) yield Prisma.sql`"groups" @> ARRAY[${query.group}]::text[]`;
  if (query.tag !== undefined)
    yield Prisma.sql`"toolId" IN (SELECT "id" FROM tool WHERE "tags" @> ARRAY[${query.tag}]::text[])`;
  if (query.sideEffects !== undefined)
    yield Prisma.sql`"toolId" IN (SELECT "id" FROM tool WHERE "hasSideEffects" = ${query.sideEffects === "true"})`;
  if (query.session !== undefined) yield Prisma.sql`"session" = ${query.session}`;
  if (query.parent !== undefined) yield Prisma.sql`"parent" = ${query.parent}`;
  if (query.traceId !== undefined) yield Prisma.sql`"traceId" = ${query.traceId}`;
  if (query.revision !== undefined) yield Prisma.sql`"revision" = ${query.revision}::int`;
  if (names !== null) yield eitherOf(searched(names));
}

/** Codes whose reasons say more: `arguments_refused by NAME`, `approval_denied: labels_added`. */
const DETAILED: ReadonlySet<string> = new Set(["arguments_refused", "approval_denied"]);

function* outcomesOf({ status, code, reason }: ExecutionFilters): Generator<Prisma.Sql> {
  if (status !== undefined && status !== "running" && status !== "awaiting_approval")
    yield Prisma.sql`outcome."status" = ${status}`;
  if (code !== undefined) yield Prisma.sql`outcome."code" = ${code}`;
  if (reason !== undefined && DETAILED.has(reason)) yield Prisma.sql`outcome."code" = ${reason}`;
  else if (reason !== undefined) yield Prisma.sql`outcome."reason" = ${reason}`;
}

/**
 * Calls under way, found without scanning the whole log: they have no outcome, and either began within the longest call
 * duration or have an unfinished `kept_call` row.
 */
function running(now: Date): Prisma.Sql {
  const since = new Date(now.getTime() - MAX_CALL_MS).toISOString();
  return Prisma.sql`execution."callId" IN (
    SELECT begun."callId" FROM execution begun WHERE begun."at" > ${since}::timestamptz
      AND NOT EXISTS (SELECT FROM approval WHERE "callId" = begun."callId" AND status = 'waiting')
    UNION ALL SELECT "callId" FROM kept_call WHERE status IN ('queued', 'running'))
    AND NOT EXISTS (SELECT FROM execution_outcome ended
      WHERE ended."callId" = execution."callId" AND ended."callAt" = execution."at")`;
}

/** The cursor that continues after a call. */
export function toCursor({ at, callId }: { readonly at: Date; readonly callId: string }): string {
  return Buffer.from(`${at.toISOString()} ${callId}`).toString("base64url");
}

/**
 * The times of a page, narrowed to its cursor: Postgres begins an index scan at a bound of the first column, not at a pair
 * of columns, and would else walk over every page before this one.
 */
function* boundsOf({ cursor, sort, from, to }: ExecutionQuery, columns: CallColumns): Generator<Prisma.Sql> {
  if (cursor === undefined) return yield* timesOf({ from, to }, columns);
  const { at, callId } = readCursor(cursor);
  const iso = (milliseconds: number) => new Date(milliseconds).toISOString();
  const range =
    sort === "at"
      ? { from: iso(Math.max(at, Date.parse(from ?? iso(at)))), to }
      : { from, to: iso(Math.min(at + 1, Date.parse(to ?? iso(at + 1)))) };
  yield* timesOf(range, columns);
  const towards = sort === "at" ? Prisma.sql`>` : Prisma.sql`<`;
  yield Prisma.sql`(${columns.at}, ${columns.callId}) ${towards} (${iso(at)}::timestamptz, ${callId})`;
}

/** The start of the last call of the page before, in epoch milliseconds, and its id. */
function readCursor(cursor: string): { readonly at: number; readonly callId: string } {
  const [at, callId] = Buffer.from(cursor, "base64url").toString("utf8").split(" ");
  if (!isTime(at) || callId === undefined || !/^[\w-]{1,64}$/.test(callId))
    throw new AppError("invalid_request", "The query is not valid.", {
      errors: [{ path: "cursor", message: "is not a cursor of this list" }],
    });
  return { at: Date.parse(at), callId };
}
