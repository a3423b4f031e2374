import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { db, listen } from "@/lib/store/db/database";
import type { Principal } from "@/lib/store/calls/sessions";
import { translated } from "@/lib/store/db/translate";

/** A session of the MCP transport that nobody has used for so long has ended, in milliseconds. */
const IDLE_MS = 3_600_000;
/** How often its use is written down at most, in milliseconds. */
const TOUCH_MS = 60_000;
/** Rows that one sweep deletes at most, so that it never holds the store up. */
const MOST_SWEPT = 1_000;

/**
 * Opens a session of the MCP transport (2025-11-25) for its principal, and clears out some that are idle.
 *
 * @throws AppError `quota_exceeded` with as many open as MCP_SESSIONS_PER_CALLER allows; `config_unavailable` when the
 * store is lost
 */
export async function openMcpSession(id: string, { issuer, subject, client }: Principal, now: Date): Promise<void> {
  const idle = idleSince(now).toISOString();
  const most = env.MCP_SESSIONS_PER_CALLER;
  const [, opened] = await translated(() =>
    db().$transaction([
      // One opens at a time, or several would be the last that is allowed.
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
          ORDER BY "lastUsedAt" LIMIT ${MOST_SWEPT} FOR UPDATE SKIP LOCKED)`,
    ]),
  );
  if (opened === 0) throw await tooMany(most, { issuer, subject }, now);
}

/** Says when the one that was longest unused will have ended. */
async function tooMany(most: number, principal: Pick<Principal, "issuer" | "subject">, now: Date): Promise<AppError> {
  const { _min: oldest } = await translated(() =>
    db().mcpSession.aggregate({ where: principal, _min: { lastUsedAt: true } }),
  );
  const ends = (oldest.lastUsedAt ?? now).getTime() + IDLE_MS;
  const seconds = Math.max(1, Math.ceil((ends - now.getTime()) / 1000));
  return new AppError(
    "quota_exceeded",
    `You have ${most} MCP sessions open: end those you no longer use (DELETE /mcp), or wait until one has been idle for an hour.`,
    { headers: { "retry-after": String(seconds) } },
  );
}

/** Milliseconds for which a session that was found is not looked for again, lest a notice of its end was lost. */
const KNOWN_MS = 1_000;
const MOST_KNOWN = 10_000;

/** Sessions that were found: whose, and when (epoch milliseconds). */
const known = new Map<string, Omit<Principal, "agent"> & { readonly at: number }>();
let hears = false;

/** Of a session that ends at another instance a notice tells. */
function hearEnds(): void {
  if (hears) return;
  hears = true;
  listen("mcp_ended", (id) => (id === null ? known.clear() : known.delete(id)));
}

/**
 * Whether this is the principal's live session, which it then stays for another hour. Unknown, idle, ended and another's
 * are all the same.
 */
export async function useMcpSession(id: string, principal: Principal, now: Date): Promise<boolean> {
  const { issuer, subject, client } = principal;
  const seen = known.get(id);
  if (
    seen?.issuer === issuer &&
    seen.subject === subject &&
    seen.client === client &&
    now.getTime() - seen.at < KNOWN_MS
  )
    return true;
  const [row] = await translated(
    () => db().$queryRaw<{ lastUsedAt: Date }[]>`
      SELECT "lastUsedAt" FROM mcp_session WHERE id = ${id} AND issuer = ${issuer} AND subject = ${subject}
        AND client IS NOT DISTINCT FROM ${client} AND "lastUsedAt" > ${idleSince(now).toISOString()}::timestamptz`,
  );
  if (row === undefined) return false;
  if (now.getTime() - row.lastUsedAt.getTime() > TOUCH_MS)
    await translated(() => db().mcpSession.updateMany({ where: { id }, data: { lastUsedAt: now } }));
  hearEnds();
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(id, { issuer, subject, client, at: now.getTime() });
  return true;
}

/** Ends the principal's session. */
export async function endMcpSession(id: string, principal: Principal): Promise<void> {
  const { issuer, subject, client } = principal;
  await translated(() =>
    db().$transaction([
      db().mcpSession.deleteMany({ where: { id, issuer, subject, client } }),
      db().$executeRaw`SELECT pg_notify('mcp_ended', ${id})`,
    ]),
  );
  known.delete(id);
}

function idleSince(now: Date): Date {
  return new Date(now.getTime() - IDLE_MS);
}

/** A request that its client gives up: `id` is the client's own (JSON-RPC). */
export interface GivenUpRequest {
  readonly session: string;
  readonly id: string | number;
}

/** Tells the instance that serves the request, whichever it is. */
export async function giveUpMcpRequest(request: GivenUpRequest): Promise<void> {
  await translated(() => db().$executeRaw`SELECT pg_notify('mcp_given_up', ${JSON.stringify(request)})`);
}

/** Hears of requests that were given up on any instance. */
export function onMcpRequestGivenUp(handler: (request: GivenUpRequest) => void): () => void {
  return listen("mcp_given_up", (payload) => {
    if (payload !== null) handler(JSON.parse(payload) as GivenUpRequest);
  });
}
