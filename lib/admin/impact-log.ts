import type { JsonObject } from "@/lib/access/model/configuration";
import type { LoggedCall } from "@/lib/access/impact/impact";
import type { LoggedCaller } from "@/lib/access/impact/request";
import { MOST_CALLERS, MOST_REPLAYED } from "@/lib/contracts/decisions/impact";
import { open } from "@/lib/store/keys/cipher";
import { db } from "@/lib/store/db/database";
import { Prisma } from "@/lib/store/generated/client";
import { inTurns } from "@/lib/store/db/in-turns";
import { translated } from "@/lib/store/db/translate";

/** How many of the latest calls are looked at for distinct callers. */
const MOST_CALLS = 2000;

/** One distinct caller of the log, with its latest request. */
export interface RecentCaller extends LoggedCaller {
  readonly agent: string | null;
  readonly callId: string;
  readonly at: Date;
}

/** One of the latest calls. */
export interface RecentCall extends LoggedCall {
  readonly callId: string;
  readonly at: Date;
  /** The agent, else the subject. */
  readonly who: string;
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
}

const COLUMNS = Prisma.sql`execution."callId", execution."at", "issuer", "subject", "agent", "session", "request", "claimsDigest"`;
/** Calls that agents made and that were resolved: a person's trial is nobody's call. */
const REAL = Prisma.sql`"mode" IS NOT NULL AND "door" <> 'try'`;

/**
 * The latest distinct callers, latest first, each with what it asked for last; claims as the log keeps them. One
 * more than `most` says that there are more. Callers whose claims belong to another master key are left out.
 *
 * @throws AppError `config_unavailable`
 */
export async function loadRecentCallers(most = MOST_CALLERS): Promise<readonly RecentCaller[]> {
  const rows = await translated(
    () => db().$queryRaw<CallerColumns[]>`
      SELECT * FROM (
        SELECT DISTINCT ON ("issuer", "subject", "agent", "claimsDigest") *
        FROM (
          SELECT ${COLUMNS} FROM execution WHERE ${REAL} ORDER BY "at" DESC, "callId" DESC LIMIT ${MOST_CALLS}
        ) latest
        ORDER BY "issuer", "subject", "agent", "claimsDigest", "at" DESC, "callId" DESC
      ) callers ORDER BY "at" DESC, "callId" DESC LIMIT ${most + 1}`,
  );
  const claims = await loadClaims(rows);
  return rows.flatMap((row) => {
    const known = claims.get(row.claimsDigest);
    if (known === undefined) return [];
    return [{ ...toCaller(row, known), agent: row.agent, callId: row.callId, at: row.at }];
  });
}

/**
 * The latest calls of agents that named a tool there was, newest first. Their arguments only when asked for, and
 * only where the log has them whole.
 *
 * @param mask what stands where a value was masked: with it in them, arguments are not what they were
 * @throws AppError `config_unavailable`
 */
export async function loadRecentCalls(withArguments: { readonly mask: string } | null): Promise<readonly RecentCall[]> {
  const rows = await translated(
    () => db().$queryRaw<(CallerColumns & { toolId: string; denied: boolean })[]>`
      SELECT ${COLUMNS}, "toolId", COALESCE(outcome."status" = 'denied', FALSE) AS "denied"
      FROM (
        SELECT * FROM execution WHERE ${REAL} AND "toolId" IS NOT NULL
        ORDER BY "at" DESC, "callId" DESC LIMIT ${MOST_REPLAYED}
      ) execution
      LEFT JOIN execution_outcome outcome
        ON outcome."callId" = execution."callId" AND outcome."callAt" = execution."at"
      ORDER BY execution."at" DESC, execution."callId" DESC`,
  );
  const claims = await loadClaims(rows);
  const bodies = withArguments === null ? new Map<string, JsonObject>() : await loadArguments(rows, withArguments.mask);
  return rows.flatMap((row) => {
    const known = claims.get(row.claimsDigest);
    if (known === undefined) return [];
    const { callId, at, toolId, denied, agent, subject } = row;
    const args = bodies.get(callId) ?? null;
    return [{ caller: toCaller(row, known), callId, at, toolId, denied, arguments: args, who: agent ?? subject }];
  });
}

function toCaller({ issuer, subject, request, session }: CallerColumns, claims: JsonObject): LoggedCaller {
  return { issuer, subject, claims, request, fromSession: session !== null };
}

/** By digest; hundreds of texts are opened in turns. */
async function loadClaims(rows: readonly CallerColumns[]): Promise<ReadonlyMap<string, JsonObject>> {
  const digests = [...new Set(rows.map(({ claimsDigest }) => claimsDigest))];
  const kept = await translated(() => db().executionClaims.findMany({ where: { digest: { in: digests } } }));
  const claims = new Map<string, JsonObject>();
  for await (const { digest, ciphertext } of inTurns(kept)) {
    const text = open("claims", ciphertext, digest);
    if (text !== null) claims.set(digest, JSON.parse(text) as JsonObject);
  }
  return claims;
}

/** `rows` are newest first: bodies lie in the month of their call. */
async function loadArguments(rows: readonly CallerColumns[], mask: string): Promise<Map<string, JsonObject>> {
  const [newest, oldest] = [rows[0], rows.at(-1)];
  if (newest === undefined || oldest === undefined) return new Map();
  const callAt = { gte: oldest.at, lte: newest.at };
  const callId = { in: rows.map((row) => row.callId) };
  const bodies = await translated(() =>
    db().executionBody.findMany({ where: { callId, callAt, part: "arguments", sha256: null } }),
  );
  const whole = bodies.filter(({ text }) => !text.includes(mask));
  return new Map(whole.map((body) => [body.callId, JSON.parse(body.text) as JsonObject]));
}
