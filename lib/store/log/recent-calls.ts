import type { JsonObject } from "@/lib/access/model/configuration";
import type { LoggedCall } from "@/lib/access/impact/impact";
import type { LoggedCaller } from "@/lib/access/impact/request";
import { MAX_CALLERS, MAX_REPLAYED } from "@/lib/contracts/decisions/impact";
import { publicOrigin } from "@/lib/env";
import { open } from "@/lib/store/keys/cipher";
import { db } from "@/lib/store/db/database";
import { Prisma } from "@/lib/store/generated/client";
import { inTurns } from "@/lib/store/db/in-turns";
import { isCommitted } from "@/lib/store/log/execution-bodies";
import { CALLS_OF_AGENTS } from "@/lib/store/log/refused-attempts";

// Recent callers and calls of the log, with the claims that they had: drafts of the rules are tried on them.

/** The codes of calls that the rules allowed, and a later step stopped (docs/reference/execution.md#pipeline). */
const STOPPED = [
  "invalid_arguments",
  "insufficient_scope",
  "authorization_needed",
  "rate_limited",
  "quota_exceeded",
  "approval_denied",
  "approval_expired",
];
/** Latest calls that are searched for distinct callers. */
const MAX_SEARCHED = 2000;
/** Latest calls that are searched for callers without an agent: a log of years may have none. */
const MAX_EXAMINED = 50_000;

/** A distinct caller of the log with its latest request. */
export interface RecentCaller extends LoggedCaller {
  readonly agent: string | null;
  readonly callId: string;
  readonly at: Date;
}

/** One of the latest calls. */
export interface RecentCall extends LoggedCall {
  readonly callId: string;
  readonly at: Date;
  readonly agent: string | null;
  /** The agent, or the subject without one. */
  readonly who: string;
  /** Whether something besides policies and groups stopped it: its arguments, a scope, a limit or an approval. */
  readonly isStopped: boolean;
  /** When it ran, by its outcome; a call without one, or that did not run, has no length. */
  readonly ran: { readonly from: Date; readonly until: Date };
}

interface CallerColumns {
  readonly callId: string;
  readonly at: Date;
  readonly issuer: string;
  readonly subject: string;
  readonly agent: string | null;
  readonly session: string | null;
  readonly request: LoggedCaller["request"];
  readonly claimsDigest: string;
  readonly argumentsCommitment: string | null;
}

const COLUMNS = Prisma.sql`execution."callId", execution."at", "issuer", "subject", "agent", "session", "request", "claimsDigest", "argumentsCommitment"`;
const RESOLVED = Prisma.sql`"mode" IS NOT NULL AND ${CALLS_OF_AGENTS}`;

/**
 * The latest distinct callers, newest first, with their latest requests and their claims from the log. Returns one more
 * than `MAX_CALLERS` if there are more. Leaves out callers whose claims no present master key opens.
 *
 * @throws AppError `config_unavailable`
 */
export async function loadRecentCallers(): Promise<readonly RecentCaller[]> {
  return withClaims(await findCallers(MAX_CALLERS + 1, RESOLVED));
}

/**
 * Like `loadRecentCallers`, for callers without a registered agent. `more`: there may be others, beyond `most`, in older
 * calls than were searched, or with claims that no present master key opens.
 *
 * @throws AppError `config_unavailable`
 */
export async function loadUnregisteredCallers(
  most: number,
): Promise<{ callers: readonly RecentCaller[]; more: boolean }> {
  const examined = Prisma.sql`(
    SELECT * FROM execution WHERE ${RESOLVED} ORDER BY "at" DESC, "callId" DESC LIMIT ${MAX_EXAMINED}) execution`;
  const [rows, isLonger] = await Promise.all([
    findCallers(most + 1, Prisma.sql`"agent" IS NULL`, examined),
    hasMoreCalls(MAX_EXAMINED),
  ]);
  const callers = await withClaims(rows.slice(0, most));
  return { callers, more: isLonger || callers.length < rows.length || rows[0]?.searched === MAX_SEARCHED };
}

async function hasMoreCalls(than: number): Promise<boolean> {
  const next = await db().$queryRaw<object[]>`
    SELECT 1 FROM execution WHERE ${RESOLVED} ORDER BY "at" DESC, "callId" DESC OFFSET ${than} LIMIT 1`;
  return next.length > 0;
}

/** The latest distinct callers among the latest calls that meet a condition, and the number of these calls. */
async function findCallers(
  most: number,
  condition: Prisma.Sql,
  calls = Prisma.sql`execution`,
): Promise<readonly (CallerColumns & { readonly searched: number })[]> {
  return db().$queryRaw`
    WITH latest AS (
      SELECT ${COLUMNS} FROM ${calls} WHERE ${condition} ORDER BY "at" DESC, "callId" DESC LIMIT ${MAX_SEARCHED}
    )
    SELECT *, (SELECT count(*)::int FROM latest) AS "searched" FROM (
      SELECT DISTINCT ON ("issuer", "subject", "agent", "claimsDigest") * FROM latest
      ORDER BY "issuer", "subject", "agent", "claimsDigest", "at" DESC, "callId" DESC
    ) callers ORDER BY "at" DESC, "callId" DESC LIMIT ${most}`;
}

async function withClaims(rows: readonly CallerColumns[]): Promise<readonly RecentCaller[]> {
  const claims = await loadClaims(rows);
  return rows.flatMap((row) => {
    const known = claims.get(row.claimsDigest);
    if (known === undefined) return [];
    return [{ ...toCaller(row, known), agent: row.agent, callId: row.callId, at: row.at }];
  });
}

/**
 * The agents' latest calls of existing tools, newest first. With `withArguments`, includes the arguments that the log has
 * complete and to which the row of the call commits.
 *
 * @param mask the replacement of masked values; arguments that contain it are not the original ones
 * @throws AppError `config_unavailable`
 */
export async function loadRecentCalls(withArguments: { readonly mask: string } | null): Promise<readonly RecentCall[]> {
  const rows = await db().$queryRaw<(CallerColumns & Pick<RecentCall, "toolId" | "denied" | "isStopped"> & Ended)[]>`
    SELECT ${COLUMNS}, "toolId", COALESCE(outcome."status" = 'denied', FALSE) AS "denied",
      COALESCE(outcome."code" = ANY(${STOPPED}::text[]), FALSE) AS "isStopped", outcome."at" AS "endedAt", outcome."upstreamMs" AS "ranMs"
    FROM (
      SELECT * FROM execution WHERE ${RESOLVED} AND "toolId" IS NOT NULL
      ORDER BY "at" DESC, "callId" DESC LIMIT ${MAX_REPLAYED}
    ) execution
    LEFT JOIN execution_outcome outcome
      ON outcome."callId" = execution."callId" AND outcome."callAt" = execution."at"
    ORDER BY execution."at" DESC, execution."callId" DESC`;
  const claims = await loadClaims(rows);
  const bodies = withArguments === null ? new Map<string, JsonObject>() : await loadArguments(rows, withArguments.mask);
  return rows.flatMap((row) => {
    const known = claims.get(row.claimsDigest);
    if (known === undefined) return [];
    const { callId, at, toolId, denied, isStopped, agent, subject } = row;
    const facts = { callId, at, toolId, denied, isStopped, agent, who: agent ?? subject, ran: ranIn(row) };
    return [{ ...facts, caller: toCaller(row, known), arguments: bodies.get(callId) ?? null }];
  });
}

/** When a call ended, and how long it ran; null without an outcome. */
interface Ended {
  readonly endedAt: Date | null;
  readonly ranMs: number | null;
}

function ranIn({ at, endedAt, ranMs }: Ended & { readonly at: Date }): RecentCall["ran"] {
  if (endedAt === null || ranMs === null) return { from: at, until: at };
  return { from: new Date(endedAt.getTime() - ranMs), until: endedAt };
}

function toCaller({ issuer, subject, request, session }: CallerColumns, claims: JsonObject): LoggedCaller {
  return { issuer, subject, isOwnToken: issuer === publicOrigin(), claims, request, fromSession: session !== null };
}

/** The logged claims by digest. Decrypts hundreds of texts with turns for other work in between. */
export async function loadClaims(
  rows: readonly Pick<CallerColumns, "claimsDigest">[],
): Promise<ReadonlyMap<string, JsonObject>> {
  const digests = [...new Set(rows.map(({ claimsDigest }) => claimsDigest))];
  // One parameter: Prisma's own query would bind each of a thousand digests.
  const kept = await db().$queryRaw<{ digest: string; ciphertext: string }[]>`
    SELECT digest, ciphertext FROM execution_claims WHERE digest = ANY(${digests}::text[])`;
  const claims = new Map<string, JsonObject>();
  for await (const { digest, ciphertext } of inTurns(kept)) {
    const text = open("claims", ciphertext, digest);
    if (text !== null) claims.set(digest, JSON.parse(text) as JsonObject);
  }
  return claims;
}

/** `rows` must be newest first: their times bound the months whose partitions hold the bodies. */
async function loadArguments(rows: readonly CallerColumns[], mask: string): Promise<Map<string, JsonObject>> {
  const [newest, oldest] = [rows[0], rows.at(-1)];
  if (newest === undefined || oldest === undefined) return new Map();
  const callAt = { gte: oldest.at, lte: newest.at };
  const callId = { in: rows.map((row) => row.callId) };
  const bodies = await db().executionBody.findMany({ where: { callId, callAt, part: "arguments", sha256: null } });
  const commitments = new Map(rows.map((row) => [row.callId, row.argumentsCommitment]));
  const complete = new Map<string, JsonObject>();
  for await (const { callId: id, ...body } of inTurns(bodies))
    if (!body.text.includes(mask) && isCommitted(body, commitments.get(id) ?? null))
      complete.set(id, JSON.parse(body.text) as JsonObject);
  return complete;
}
