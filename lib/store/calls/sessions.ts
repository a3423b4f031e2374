import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { db } from "@/lib/store/db/database";
import { FREE } from "@/lib/store/log/executions-sql";
import { Prisma } from "@/lib/store/generated/client";

/** The owner of a session. Nobody else can see it. Two clients of one person are two principals. */
export interface Principal {
  readonly issuer: string;
  readonly subject: string;
  readonly agent: string | null;
  /** The OAuth client that the token names (`client_id`, else `azp`); `null` = none. */
  readonly client: string | null;
}

/** One call in a session's memory, input of the loop detection (docs/reference/decision.md#tier). */
export interface RecentCall {
  readonly tool: string;
  /** Keyed digest of the canonical arguments. */
  readonly arguments: string;
  readonly failed: boolean;
  readonly empty: boolean;
}

/** The run of an agent: its inputs at the start and its present state. */
export interface SessionRow {
  readonly id: string;
  readonly principal: Principal;
  readonly group: readonly string[];
  readonly state: string;
  readonly machine: string | null;
  readonly profile: string | null;
  readonly intent: string | null;
  readonly confidence: number | null;
  readonly escalated: boolean;
  readonly recent: readonly RecentCall[];
  readonly expiresAt: Date;
  /** Grows with every change of a value that a resolution reads. */
  readonly version: number;
}

/** A session whose row is locked until the transaction ends. */
export interface LockedSession extends SessionRow {
  /** The call that holds the session: no other call may move its state. */
  readonly holder: string | null;
}

/** An agent's input at the start. `history` and `metadata` are stored for auditors only. */
interface NewSession extends Omit<SessionRow, "escalated" | "recent" | "version"> {
  readonly question: string | null;
  readonly history: Json;
  readonly metadata: JsonObject;
}

/** The changes of a call or a patch. An absent field keeps its value. */
export interface SessionChange {
  readonly state?: string;
  readonly intent?: string | null;
  readonly confidence?: number | null;
  readonly escalated?: boolean;
  readonly recent?: readonly RecentCall[];
  readonly calls?: number;
  /** Whether the call that held the session releases it. */
  readonly released?: boolean;
  readonly expiresAt: Date;
}

/** The parts of a principal for a digest or a key. Principals without a client keep the parts of older versions. */
export function identityParts({ issuer, subject, client }: Omit<Principal, "agent">): readonly string[] {
  // Calls that an older version queued name no client.
  return (client ?? null) === null ? [issuer, subject] : [issuer, subject, client as string];
}

type Transaction = Prisma.TransactionClient;
type Stored = NonNullable<Awaited<ReturnType<Transaction["agentSession"]["findUnique"]>>>;

/** What an agent stated at the start, up to a megabyte. For auditors only: no decision reads it. */
const FOR_AUDITORS = { question: true, history: true, metadata: true } as const;
const NO_TEXTS = { question: null, history: [], metadata: {} };
type Deciding = Omit<Stored, keyof typeof FOR_AUDITORS>;

/**
 * Stores a new session. A session that arrived before an erasure of its caller stores no text for auditors.
 *
 * @param now the arrival of the request
 * @throws AppError `quota_exceeded` at SESSIONS_PER_CALLER live sessions; `config_unavailable` when the store is lost
 */
export async function createSession(session: NewSession, now: Date): Promise<void> {
  const { principal, group, question, history, metadata, ...rest } = session;
  const { issuer, subject, agent } = principal;
  const most = env.SESSIONS_PER_CALLER;
  const refused = await db().$transaction(async (transaction) => {
    // One at a time per caller: concurrent requests could all take the last free place.
    await transaction.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${JSON.stringify(["session", issuer, subject])}, 0))`;
    const full = await transaction.agentSession.findFirst({
      where: { issuer, subject, expiresAt: { gt: now } },
      orderBy: { expiresAt: "desc" },
      skip: most - 1,
      select: { expiresAt: true },
    });
    if (full !== null) return tooMany(most, full.expiresAt, now);
    // Expired sessions count until the sweep deletes them, because they still use disk space.
    const [row] = await transaction.$queryRaw<{ stored: bigint | null; erased: boolean }[]>`
      SELECT sum(bytes) AS stored, EXISTS (
        SELECT FROM log_erasure WHERE ("agent" = ${agent} OR ("subject" = ${subject} AND "issuer" = ${issuer}))
          AND "to" > ${now.toISOString()}::timestamptz AND ("from" IS NULL OR "from" <= ${now.toISOString()}::timestamptz)
      ) AS erased
      FROM agent_session WHERE issuer = ${issuer} AND subject = ${subject}`;
    const texts = row?.erased === false ? { question, history, metadata } : NO_TEXTS;
    const bytes = Buffer.byteLength(JSON.stringify([texts.question, texts.history, texts.metadata, group]));
    if (Number(row?.stored ?? 0) + bytes > MAX_BYTES) return tooLarge();
    await transaction.agentSession.create({
      data: {
        ...rest,
        ...principal,
        ...(texts as Pick<Prisma.AgentSessionCreateInput, keyof typeof FOR_AUDITORS>),
        group: [...group],
        bytes,
        createdAt: now,
        lastUsedAt: now,
      },
    });
    return null;
  });
  if (refused !== null) throw refused;
}

/** Most bytes of questions, histories, metadata and groups in all sessions of one caller. */
const MAX_BYTES = 8 * 1024 * 1024;

function tooLarge(): AppError {
  const most = `${MAX_BYTES / (1024 * 1024)} MiB`;
  return new AppError(
    "quota_exceeded",
    `Your sessions would store more than ${most} of questions, history and metadata: send less, or wait until some are deleted, a day after they expire.`,
    { headers: { "retry-after": "3600" } },
  );
}

/** @param first when the next session expires */
function tooMany(most: number, first: Date, now: Date): AppError {
  const seconds = Math.max(1, Math.ceil((first.getTime() - now.getTime()) / 1000));
  return new AppError(
    "quota_exceeded",
    `You have ${most} sessions, the limit for one caller: continue one of them, or wait until one expires.`,
    { headers: { "retry-after": String(seconds) } },
  );
}

/** The principal's live session; `null` alike for an unknown and an expired one, and for another principal's. */
export async function findSession(id: string, principal: Principal, now: Date): Promise<SessionRow | null> {
  const row = await db().agentSession.findFirst({
    where: { id, ...identityOf(principal), expiresAt: { gt: now } },
    omit: FOR_AUDITORS,
  });
  return row === null ? null : toRow(row);
}

/** The versions of live sessions, by id, in one statement. The caller must know that they are its own. */
export async function sessionVersions(ids: readonly string[], now: Date): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db().agentSession.findMany({
    where: { id: { in: [...new Set(ids)] }, expiresAt: { gt: now } },
    select: { id: true, version: true },
  });
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** The columns of `Deciding`. */
const DECIDING = Object.keys(Prisma.AgentSessionScalarFieldEnum)
  .filter((column) => !Object.hasOwn(FOR_AUDITORS, column))
  .map((column) => `"${column}"`)
  .join(", ");

/** Locks a session's row until the transaction ends, so that its changes happen one after the other. */
export async function lockSession(transaction: Transaction, id: string): Promise<LockedSession | null> {
  const [row] = await transaction.$queryRaw<(Deciding & { isFree: boolean })[]>`
    SELECT ${Prisma.raw(DECIDING)}, ${Prisma.raw(FREE)} AS "isFree" FROM agent_session WHERE id = ${id} FOR UPDATE`;
  return row === undefined ? null : { ...toRow(row), holder: row.isFree ? null : row.holder };
}

/** Whether no call holds a session. A deleted session is free. */
export async function isSessionFree(id: string): Promise<boolean> {
  const [row] = await db().$queryRaw<{ isFree: boolean }[]>`
    SELECT ${Prisma.raw(FREE)} AS "isFree" FROM agent_session WHERE id = ${id}`;
  return row?.isFree ?? true;
}

/** Changes a locked session. Its version grows only if a value changed that a resolution reads. */
export async function changeSession(
  transaction: Transaction,
  session: SessionRow,
  change: SessionChange,
  now: Date,
): Promise<void> {
  const { recent, calls, released, ...facts } = change;
  const moved =
    differs(change.state, session.state) ||
    differs(change.intent, session.intent) ||
    differs(change.confidence, session.confidence) ||
    differs(change.escalated, session.escalated);
  await transaction.agentSession.update({
    where: { id: session.id },
    data: {
      ...facts,
      ...(recent === undefined ? {} : { recent: recent.map((call) => ({ ...call })) }),
      ...(calls === undefined ? {} : { calls: { increment: calls } }),
      ...(moved ? { version: { increment: 1 } } : {}),
      ...(released === true ? { holder: null, heldBy: null, heldUntil: null } : {}),
      lastUsedAt: now,
    },
  });
}

/** Locks and changes the principal's live session; `null` when there is none. */
export async function patchSession(
  id: string,
  principal: Principal,
  now: Date,
  change: (session: SessionRow) => SessionChange,
): Promise<SessionRow | null> {
  await db().$transaction(async (transaction) => {
    const session = await lockSession(transaction, id);
    if (session === null || !isSameIdentity(session.principal, principal) || session.expiresAt <= now) return;
    await changeSession(transaction, session, change(session), now);
  });
  return findSession(id, principal, now);
}

/** Prolongs a session that is only read, with at most one write a minute. */
export async function touchSession(session: SessionRow, expiresAt: Date, now: Date): Promise<void> {
  if (expiresAt.getTime() - session.expiresAt.getTime() < 60_000) return;
  await db().agentSession.updateMany({ where: { id: session.id }, data: { expiresAt, lastUsedAt: now } });
}

/** Milliseconds for which auditors can read an expired session's texts. It is deleted within a day of its end. */
const ANSWER_RETENTION_MS = 20 * 60 * 60 * 1000;
/** Most rows that one sweep deletes, so that it never blocks the store for long. */
const SWEEP_BATCH = 1000;

/** Deletes sessions that expired 20 hours ago or earlier. Safe in several processes at once. Returns how many. */
export async function sweepSessions(now: Date): Promise<number> {
  const before = new Date(now.getTime() - ANSWER_RETENTION_MS);
  return db().$executeRaw`
    DELETE FROM agent_session WHERE id IN (
      SELECT id FROM agent_session WHERE "expiresAt" < ${before.toISOString()}::timestamptz
      ORDER BY "expiresAt" LIMIT ${SWEEP_BATCH} FOR UPDATE SKIP LOCKED)`;
}

function differs<T>(next: T | undefined, present: T): boolean {
  return next !== undefined && next !== present;
}

/** Identity is (issuer, subject, client): a subject keeps its sessions when it is later bound to an agent. */
function identityOf({ issuer, subject, client }: Principal): Omit<Principal, "agent"> {
  return { issuer, subject, client };
}

/** Whether two principals are one identity, whatever agents they are bound to. */
export function isSameIdentity(one: Omit<Principal, "agent">, other: Omit<Principal, "agent">): boolean {
  return one.issuer === other.issuer && one.subject === other.subject && one.client === other.client;
}

function toRow(row: Deciding): SessionRow {
  const {
    id,
    issuer,
    subject,
    agent,
    client,
    state,
    machine,
    profile,
    intent,
    confidence,
    escalated,
    expiresAt,
    version,
  } = row;
  return {
    id,
    principal: { issuer, subject, agent, client },
    group: row.group as unknown as readonly string[],
    state,
    machine,
    profile,
    intent,
    confidence,
    escalated,
    recent: row.recent as unknown as readonly RecentCall[],
    expiresAt,
    version,
  };
}
