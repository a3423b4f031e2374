import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { db, listen } from "@/lib/store/db/database";
import { isSameIdentity, type Principal } from "@/lib/store/calls/sessions";

/** Milliseconds of disuse after which an MCP transport session has ended. */
const IDLE_MS = 3_600_000;
/** Milliseconds between two stored updates of a session's last use. */
const TOUCH_MS = 60_000;
/** Most rows that one sweep deletes, so that it never blocks the store for long. */
const SWEEP_BATCH = 1_000;

/**
 * Opens a session of the MCP transport (2025-11-25) for its principal, and deletes some idle ones.
 *
 * @throws AppError `quota_exceeded` at MCP_SESSIONS_PER_CALLER open sessions; `config_unavailable` when the store is lost
 */
export async function openMcpSession(id: string, { issuer, subject, client }: Principal, now: Date): Promise<void> {
  const idle = idleSince(now).toISOString();
  const most = env.MCP_SESSIONS_PER_CALLER;
  const [, opened] = await db().$transaction([
    // One at a time per caller: concurrent requests could all take the last free place.
    db().$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${JSON.stringify(["mcp", issuer, subject])}, 0))`,
    db().$executeRaw`
      INSERT INTO mcp_session (id, issuer, subject, client, "lastUsedAt")
      SELECT ${id}, ${issuer}, ${subject}, ${client}, ${now.toISOString()}::timestamptz
      WHERE ${most} > (
        SELECT count(*) FROM mcp_session
        WHERE issuer = ${issuer} AND subject = ${subject} AND "lastUsedAt" > ${idle}::timestamptz)`,
    db().$executeRaw`
      DELETE FROM mcp_session WHERE id IN (
        SELECT id FROM mcp_session WHERE "lastUsedAt" <= ${idle}::timestamptz
        ORDER BY "lastUsedAt" LIMIT ${SWEEP_BATCH} FOR UPDATE SKIP LOCKED)`,
  ]);
  if (opened === 0) throw await tooMany(most, { issuer, subject }, now);
}

/** The error names the seconds until the session that was unused longest has ended. */
async function tooMany(most: number, principal: Pick<Principal, "issuer" | "subject">, now: Date): Promise<AppError> {
  const { _min: oldest } = await db().mcpSession.aggregate({ where: principal, _min: { lastUsedAt: true } });
  const ends = (oldest.lastUsedAt ?? now).getTime() + IDLE_MS;
  const seconds = Math.max(1, Math.ceil((ends - now.getTime()) / 1000));
  return new AppError(
    "quota_exceeded",
    `You have ${most} MCP sessions open, the limit for one caller: end unused sessions (DELETE /mcp), or wait until one has been idle for an hour.`,
    { headers: { "retry-after": String(seconds) } },
  );
}

/** Milliseconds for which a found session is not read again. Short, because a notice of its end may be lost. */
const KNOWN_MS = 1_000;
const MAX_RECENT = 10_000;

/** Recently found sessions: their owner, and when they were found (epoch milliseconds). */
const recentSessions = new Map<string, Omit<Principal, "agent"> & { readonly at: number }>();
let isSubscribed = false;

/** Subscribes to ends of sessions at other instances. */
function subscribeToEnds(): void {
  if (isSubscribed) return;
  isSubscribed = true;
  listen("mcp_ended", (id) => (id === null ? recentSessions.clear() : recentSessions.delete(id)));
}

/**
 * Whether this is the principal's live session; if so, it lives for another hour. Returns false alike for an unknown, an
 * idle and an ended session, and for another principal's.
 */
export async function useMcpSession(id: string, principal: Principal, now: Date): Promise<boolean> {
  const { issuer, subject, client } = principal;
  const seen = recentSessions.get(id);
  if (seen !== undefined && isSameIdentity(seen, principal) && now.getTime() - seen.at < KNOWN_MS) return true;
  const [row] = await db().$queryRaw<{ lastUsedAt: Date }[]>`
    SELECT "lastUsedAt" FROM mcp_session WHERE id = ${id} AND issuer = ${issuer} AND subject = ${subject}
      AND client IS NOT DISTINCT FROM ${client} AND "lastUsedAt" > ${idleSince(now).toISOString()}::timestamptz`;
  if (row === undefined) return false;
  if (now.getTime() - row.lastUsedAt.getTime() > TOUCH_MS)
    await db().mcpSession.updateMany({ where: { id }, data: { lastUsedAt: now } });
  subscribeToEnds();
  if (recentSessions.size >= MAX_RECENT) recentSessions.clear();
  recentSessions.set(id, { issuer, subject, client, at: now.getTime() });
  return true;
}

/** Ends the principal's session. */
export async function endMcpSession(id: string, principal: Principal): Promise<void> {
  const { issuer, subject, client } = principal;
  await db().$transaction([
    db().mcpSession.deleteMany({ where: { id, issuer, subject, client } }),
    db().$executeRaw`SELECT pg_notify('mcp_ended', ${id})`,
  ]);
  recentSessions.delete(id);
}

/** Subscribes to sessions that their callers ended on any instance. */
export function onMcpSessionEnded(handler: (id: string) => void): () => void {
  return listen("mcp_ended", (id) => (id === null ? undefined : handler(id)));
}

function idleSince(now: Date): Date {
  return new Date(now.getTime() - IDLE_MS);
}

/** A request that its client cancelled. `id` is the client's own (JSON-RPC). */
export interface CancelledRequest {
  readonly session: string;
  readonly id: string | number;
}

/** Notifies the instance that serves the request. */
export async function cancelMcpRequest(request: CancelledRequest): Promise<void> {
  await db().$executeRaw`SELECT pg_notify('mcp_given_up', ${JSON.stringify(request)})`;
}

/** Subscribes to requests that clients cancelled on any instance. */
export function onMcpRequestCancelled(handler: (request: CancelledRequest) => void): () => void {
  return listen("mcp_given_up", (payload) => {
    if (payload !== null) handler(JSON.parse(payload) as CancelledRequest);
  });
}
