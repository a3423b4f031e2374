import { AppError } from "@/lib/errors";
import type { ExecutionFilters, ExecutionQuery } from "@/lib/resources/execution";
import { searchSql, type SearchedNames } from "@/lib/store/execution-search";
import { Prisma } from "@/lib/store/generated/client";
import { isTime } from "@/lib/store/keyset";

/** No call runs longer than this, in milliseconds: a tool's 300 s and some. */
export const LONGEST_CALL_MS = 900_000;

/** Where a table says which call it is about: its columns for when the call began, and for its id. */
interface Place {
  readonly at: Prisma.Sql;
  readonly callId: Prisma.Sql;
}

/** Of the calls themselves. */
export const OF_CALL: Place = { at: Prisma.sql`execution."at"`, callId: Prisma.sql`execution."callId"` };
const OF_OUTCOME: Place = { at: Prisma.sql`outcome."callAt"`, callId: Prisma.sql`outcome."callId"` };

const WAITING = Prisma.sql`execution."callId" IN (SELECT "callId" FROM approval WHERE status = 'waiting')`;

/** The log's filters as conditions on executions joined with their outcomes; `names` is what its `q` stands for. */
export function* filtersOf(query: ExecutionFilters, names: SearchedNames | null): Generator<Prisma.Sql> {
  yield* timesOf(query, OF_CALL);
  yield* callsOf(query, names);
  yield* outcomesOf(query);
  if (query.status === "running") yield Prisma.sql`outcome."callId" IS NULL AND NOT ${WAITING}`;
}

/** All of the conditions; none of them = every row. */
export function all(conditions: readonly Prisma.Sql[]): Prisma.Sql {
  return conditions.length === 0 ? Prisma.sql`TRUE` : Prisma.join([...conditions], " AND ");
}

/** The order of the list that a query asks for: by when the calls began, the newest first unless `sort=at`. */
export function orderOf({ sort }: Pick<ExecutionQuery, "sort">, { at, callId }: Place): Prisma.Sql {
  return sort === "at" ? Prisma.sql`${at}, ${callId}` : Prisma.sql`${at} DESC, ${callId} DESC`;
}

/**
 * The first `limit` calls that a query asks for, after its cursor, as a table `execution`. Filters of outcomes walk the outcomes in
 * the list's order: of a join by two columns Postgres expects next to no rows, and would read the whole log for a page.
 *
 * @throws AppError `invalid_request` for a cursor that is none of ours
 */
export function chosen(query: ExecutionQuery, names: SearchedNames | null, limit: number): Prisma.Sql {
  const outcomes = [...outcomesOf(query)];
  const place = outcomes.length === 0 ? OF_CALL : OF_OUTCOME;
  const bounds = [...timesOf(query, place), ...beyond(query, place)];
  const calls = [...callsOf(query, names), ...(query.status === "running" ? [running(new Date())] : [])];
  if (outcomes.length === 0)
    return Prisma.sql`
      (SELECT * FROM execution WHERE ${all([...bounds, ...calls])} ORDER BY ${orderOf(query, place)} LIMIT ${limit}) execution`;
  return Prisma.sql`
    (SELECT execution.* FROM execution_outcome outcome CROSS JOIN LATERAL (
      SELECT * FROM execution WHERE "callId" = outcome."callId" AND "at" = outcome."callAt" AND ${all(calls)} LIMIT 1) execution
    WHERE ${all([...bounds, ...outcomes])} ORDER BY ${orderOf(query, place)} LIMIT ${limit}) execution`;
}

function* timesOf({ from, to }: ExecutionFilters, { at }: Place): Generator<Prisma.Sql> {
  if (from !== undefined) yield Prisma.sql`${at} >= ${new Date(from).toISOString()}::timestamptz`;
  if (to !== undefined) yield Prisma.sql`${at} < ${new Date(to).toISOString()}::timestamptz`;
}

function* callsOf(query: ExecutionFilters, names: SearchedNames | null): Generator<Prisma.Sql> {
  if (query.agent !== undefined) yield Prisma.sql`"agent" = ${query.agent}`;
  if (query.subject !== undefined) yield Prisma.sql`"subject" = ${query.subject}`;
  if (query.tool !== undefined)
    yield Prisma.sql`("toolId" = ${query.tool} OR ("toolId" IS NULL AND "asked" = ${query.tool}))`;
  if (query.source !== undefined) yield Prisma.sql`"source" = ${query.source}`;
  if (query.status === "awaiting_approval") yield WAITING;
  if (query.policy !== undefined) yield Prisma.sql`"policies" @> ARRAY[${query.policy}]::text[]`;
  if (query.group !== undefined) yield Prisma.sql`"groups" @> ARRAY[${query.group}]::text[]`;
  if (query.session !== undefined) yield Prisma.sql`"session" = ${query.session}`;
  if (query.parent !== undefined) yield Prisma.sql`"parent" = ${query.parent}`;
  if (query.traceId !== undefined) yield Prisma.sql`"traceId" = ${query.traceId}`;
  if (query.revision !== undefined) yield Prisma.sql`"revision" = ${query.revision}::int`;
  if (names !== null) yield searchSql(names);
}

function* outcomesOf({ status, code, reason }: ExecutionFilters): Generator<Prisma.Sql> {
  if (status !== undefined && status !== "running" && status !== "awaiting_approval")
    yield Prisma.sql`outcome."status" = ${status}`;
  if (code !== undefined) yield Prisma.sql`outcome."code" = ${code}`;
  if (reason !== undefined) yield Prisma.sql`outcome."reason" = ${reason}`;
}

/**
 * Under way, found without reading a log for what it does not hold: without an outcome, and begun as long ago as a call takes at
 * most, unless a kept row says that it goes on.
 */
function running(now: Date): Prisma.Sql {
  const since = new Date(now.getTime() - LONGEST_CALL_MS).toISOString();
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

function* beyond({ cursor, sort }: ExecutionQuery, place: Place): Generator<Prisma.Sql> {
  if (cursor === undefined) return;
  const [at, callId] = Buffer.from(cursor, "base64url").toString("utf8").split(" ");
  if (!isTime(at) || callId === undefined || !/^[\w-]{1,64}$/.test(callId))
    throw new AppError("invalid_request", "The query is not valid.", {
      errors: [{ path: "cursor", message: "is not a cursor of this list" }],
    });
  const towards = sort === "at" ? Prisma.sql`>` : Prisma.sql`<`;
  yield Prisma.sql`(${place.at}, ${place.callId}) ${towards} (${new Date(at).toISOString()}::timestamptz, ${callId})`;
}
