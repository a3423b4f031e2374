import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "@/lib/errors";
import type { ErasureInput, ErasureOutput } from "@/lib/contracts/log/erasure";
import type { Actor, Change } from "@/lib/store/save/change";
import { isErasedCaller } from "@/lib/store/audit/erased-caller";
import { bulkDb, db } from "@/lib/store/db/database";
import { all } from "@/lib/store/log/execution-filters";
import { Prisma } from "@/lib/store/generated/client";
import { eraseObserved } from "@/lib/store/observed/remove";
import { eraseUsage } from "@/lib/store/usage/remove";
import { write } from "@/lib/store/save/write";

/** Most calls that one erasure takes: it is one transaction, which may last 30 s. */
const MAX_CALLS = 100_000;

/** Milliseconds that an erasure waits for statements that began before it was committed, and so do not find its record. */
const STATEMENT_MS = 1_000;

/** The person who erases, and the request that asks for it. */
interface Eraser {
  readonly actor: Actor;
  readonly requestId: string | null;
}

/** Counts what `eraseBodies` would erase. @throws AppError `config_unavailable` */
export async function countBodies(erasure: ErasureInput, now = new Date()): Promise<ErasureOutput> {
  const to = endOf(erasure, now);
  const [counted] = await bulkDb().$queryRaw<Omit<ErasureOutput, "id" | "to">[]>`
    WITH chosen AS (SELECT "callId", "at", "claimsDigest" FROM execution WHERE ${callsOf(erasure, to)}),
      bodies AS (SELECT body."callId" FROM execution_body body JOIN chosen
        ON body."callId" = chosen."callId" AND body."callAt" = chosen."at")
    SELECT (SELECT count(DISTINCT "callId")::int FROM bodies) AS "calls", (SELECT count(*)::int FROM bodies) AS "bodies",
      (SELECT count(*)::int FROM execution_claims WHERE ${claimsOf(erasure, to)}) AS "claims",
      (SELECT count(*)::int FROM agent_session WHERE ${sessionsOf(erasure, to)}) AS "sessions"`;
  return { id: null, to, calls: 0, bodies: 0, claims: 0, sessions: 0, ...counted };
}

/**
 * Erases a caller's arguments, results and session texts, and claims that no other call refers to. Rows and seals stay.
 * Records each call's erasure in the audit trail and the whole in the changes, without the erased content. Runs in one
 * transaction. Then erases what calls stored while that transaction ran, which the counts leave out. A call that is written
 * later finds the record and stores nothing, so an erasure is recorded also when the caller has nothing yet.
 *
 * @throws AppError `invalid_request` for more calls than one transaction takes; `forbidden`; `config_unavailable`
 */
export async function eraseBodies(
  { actor, requestId }: Eraser,
  erasure: ErasureInput,
  now = new Date(),
): Promise<ErasureOutput> {
  const to = endOf(erasure, now);
  await requireFewCalls({ ...erasure, to }, now);
  const name = `era_${randomUUID()}`;
  const { issuer = null, subject = null, agent = null, from = null } = erasure;
  const eraseNow = async (tx: Prisma.TransactionClient) => {
    const [gone] = await tx.$queryRaw<Pick<ErasureOutput, "calls" | "bodies">[]>`
      SELECT calls, bodies FROM erase_bodies_of(${issuer}, ${subject}, ${agent}, ${from}::timestamptz, ${to}::timestamptz,
        ${actor.kind}, ${actor.name}, ${actor.role}, ${requestId})`;
    // Sessions before claims, in the order in which a call locks them. Another order could deadlock.
    const sessions = await tx.$executeRaw`
      UPDATE agent_session SET "question" = NULL, "history" = '[]', "metadata" = '{}',
        "bytes" = octet_length(to_jsonb("group")::text) WHERE ${sessionsOf(erasure, to)}`;
    const claims = await tx.$executeRaw`DELETE FROM execution_claims WHERE ${claimsOf(erasure, to)}`;
    return { calls: 0, bodies: 0, ...gone, claims, sessions };
  };
  let erased = { calls: 0, bodies: 0, claims: 0, sessions: 0 };
  const eraseAndRecord = async (_stored: object, tx: Prisma.TransactionClient): Promise<Change[]> => {
    erased = await eraseNow(tx);
    await eraseUsage(tx, erasure, to);
    await eraseObserved(tx, erasure, to);
    const after = { name, issuer, subject, agent, from, to, ...erased, by: actor.name };
    return [{ resource: "erasures", action: "create", after }];
  };
  await write(actor, eraseAndRecord, { now });
  await delay(STATEMENT_MS);
  await bulkDb().$transaction(eraseNow);
  return { id: name, to, ...erased };
}

async function requireFewCalls(erasure: ErasureInput, now: Date): Promise<void> {
  const { calls } = await countBodies(erasure, now);
  if (calls > MAX_CALLS)
    throw new AppError("invalid_request", `${calls.toLocaleString("en")} calls are too many for one erasure.`, {
      errors: [
        { path: "from", message: `choose a shorter time range with at most ${MAX_CALLS.toLocaleString("en")} calls` },
      ],
    });
}

/** The end of the span: never in the future, because an erasure does not erase later calls. */
function endOf({ to }: ErasureInput, now: Date): string {
  return to === undefined || new Date(to) > now ? now.toISOString() : to;
}

/**
 * Erases the bodies of every call that began before a time. Each transaction takes up to `MAX_CALLS` calls and records
 * one change. Starts where the last such erasure ended.
 *
 * @throws AppError `config_unavailable`
 */
export async function eraseBefore({ actor, requestId }: Eraser, until: Date): Promise<void> {
  const [known] = await db().$queryRaw<{ since: Date | null }[]>`
    SELECT COALESCE((SELECT max("to") FROM log_erasure WHERE "subject" IS NULL AND "agent" IS NULL),
      (SELECT min("at") FROM execution)) AS since`;
  for (let since = known?.since ?? until; since < until;) {
    const [next] = await bulkDb().$queryRaw<{ at: Date }[]>`
      SELECT "at" FROM execution WHERE "at" > ${since} AND "at" < ${until} ORDER BY "at" OFFSET ${MAX_CALLS} LIMIT 1`;
    const [from, to] = [since, next?.at ?? until];
    await write(actor, async (_stored, tx) => {
      const [gone] = await tx.$queryRaw<Pick<ErasureOutput, "calls" | "bodies">[]>`
        SELECT calls, bodies FROM erase_bodies_of(NULL, NULL, NULL, ${from}, ${to},
          ${actor.kind}, ${actor.name}, ${actor.role}, ${requestId})`;
      const counts = { calls: 0, bodies: 0, ...gone, claims: 0, sessions: 0 };
      if (isEmpty(counts)) return [];
      const span = { from: from.toISOString(), to: to.toISOString() };
      const everyCaller = { issuer: null, subject: null, agent: null };
      const after = { name: `era_${randomUUID()}`, ...everyCaller, ...span, ...counts, by: actor.name };
      return [{ resource: "erasures", action: "create", after }];
    });
    since = to;
  }
}

function isEmpty(counts: Readonly<Record<string, number>>): boolean {
  return Object.values(counts).every((count) => count === 0);
}

function callsOf({ issuer, subject, agent, from }: ErasureInput, to: string, call = Prisma.sql`execution`): Prisma.Sql {
  return all([
    ...(agent === undefined
      ? [Prisma.sql`${call}."subject" = ${subject} AND ${call}."issuer" = ${issuer}`]
      : [Prisma.sql`${call}."agent" = ${agent}`]),
    ...(from === undefined ? [] : [Prisma.sql`${call}."at" >= ${from}::timestamptz`]),
    Prisma.sql`${call}."at" < ${to}::timestamptz`,
  ]);
}

/**
 * Claims of those calls and of no other. Equal claims have the same issuer and subject, so the query reads only that
 * caller's other calls.
 */
function claimsOf(erasure: ErasureInput, to: string): Prisma.Sql {
  const other = Prisma.sql`other`;
  return Prisma.sql`"digest" IN (SELECT "claimsDigest" FROM execution WHERE ${callsOf(erasure, to)}
    AND NOT EXISTS (SELECT FROM execution other WHERE other."subject" = execution."subject"
      AND other."issuer" = execution."issuer" AND other."claimsDigest" = execution."claimsDigest"
      AND NOT (${callsOf(erasure, to, other)})))`;
}

function sessionsOf({ from, ...caller }: ErasureInput, to: string): Prisma.Sql {
  return all([
    isErasedCaller(caller),
    ...(from === undefined ? [] : [Prisma.sql`"createdAt" >= ${from}::timestamptz`]),
    Prisma.sql`"createdAt" < ${to}::timestamptz AND ("question" IS NOT NULL OR "history" <> '[]' OR "metadata" <> '{}')`,
  ]);
}
