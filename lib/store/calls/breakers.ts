import { AppError } from "@/lib/errors";
import type { BreakerState, TrippedSource } from "@/lib/contracts/sources/breaker";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import type { Actor, AppliedChange } from "@/lib/store/save/change";
import { db, listen } from "@/lib/store/db/database";
import { announce } from "@/lib/store/events/events";
import type { Prisma } from "@/lib/store/generated/client";
import { idOf } from "@/lib/store/config/tables";

/** Channel of notices that name a source whose breakers an admin reset. */
const CHANNEL = "breaker_reset";

/** A process's breaker that is not closed. */
export interface TrippedBreaker {
  readonly state: "half_open" | "open";
  readonly since: Date;
  readonly reason: string;
}

/** Stores the state of a source's breaker in one process; `null` = closed. Announces an opening once. */
export async function noteBreaker(source: string, instance: string, tripped: TrippedBreaker | null): Promise<void> {
  if (tripped === null) {
    await db().sourceBreaker.deleteMany({ where: { source, instance } });
    return;
  }
  const where = { source_instance: { source, instance } };
  await db().$transaction(async (transaction) => {
    // Per source, one process at a time: when two processes open at once, the second one sees the first one's row.
    await transaction.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${`breaker ${source}`}))`;
    // A call may outlive its source. The source's breakers are deleted with it.
    if ((await transaction.source.count({ where: { name: source } })) === 0) return;
    // Announce only the first opening until every process has closed its breaker.
    if ((await transaction.sourceBreaker.count({ where: { source } })) === 0)
      await announce(transaction, {
        type: "breaker.opened",
        path: `/admin/sources/${encodeURIComponent(source)}`,
        data: { source, since: tripped.since.toISOString() },
      });
    await transaction.sourceBreaker.upsert({
      where,
      create: { source, instance, ...tripped },
      update: { ...tripped },
    });
  });
}

/**
 * The states of a source's breakers in the running processes.
 *
 * @throws AppError `not_found`
 */
export async function readBreaker(source: string): Promise<BreakerState> {
  if ((await db().source.count({ where: { name: source } })) === 0)
    throw new AppError("not_found", `There is no source \`${source}\`.`);
  const rows = await db().$queryRaw<{ instance: string; state: string; since: Date; reason: string }[]>`
    SELECT breaker.instance, breaker.state, breaker.since, breaker.reason FROM source_breaker breaker
    JOIN instance ON instance.id = breaker.instance WHERE breaker.source = ${source} ORDER BY breaker.since`;
  const instances = rows.map(({ instance, state, since, reason }) => ({
    instance,
    state: state === "half_open" ? ("half_open" as const) : ("open" as const),
    since: since.toISOString(),
    reason,
  }));
  const worst = instances.some(({ state }) => state === "open") ? "open" : "half_open";
  return { state: instances.length === 0 ? "closed" : worst, instances };
}

/** The sources with a breaker that is not closed in some running process, by name. */
export async function listTrippedBreakers(): Promise<TrippedSource[]> {
  return db().$queryRaw<TrippedSource[]>`
    SELECT breaker.source, CASE WHEN bool_or(breaker.state = 'open') THEN 'open' ELSE 'half_open' END AS state
    FROM source_breaker breaker JOIN instance ON instance.id = breaker.instance
    GROUP BY breaker.source ORDER BY breaker.source`;
}

/**
 * Closes the breakers of a source in every process, and records who did.
 *
 * @throws AppError `not_found`
 */
export async function resetBreaker(actor: Actor, source: string, requestId: string): Promise<BreakerState> {
  await readBreaker(source);
  await db().$transaction(async (transaction) => {
    await recordAuditEvent({ actor, action: "sources.breaker_reset", target: source, requestId }, transaction);
    await transaction.sourceBreaker.deleteMany({ where: { source } });
    await transaction.$executeRaw`SELECT pg_notify(${CHANNEL}, ${source})`;
  });
  return readBreaker(source);
}

/** Removes the breakers of sources that a save deletes or renames. Each process drops its own after the commit. */
export async function dropBreakers(tx: Prisma.TransactionClient, changes: readonly AppliedChange[]): Promise<void> {
  const gone = changes.flatMap(({ resource, before, after, id }) =>
    resource === "sources" && before !== null && (after === null || idOf("sources", after) !== id) ? [id] : [],
  );
  if (gone.length === 0) return;
  await tx.sourceBreaker.deleteMany({ where: { source: { in: gone } } });
  for (const source of gone) await tx.$executeRaw`SELECT pg_notify(${CHANNEL}, ${source})`;
}

/** Subscribes to resets for the life of the process. A missed reset only waits for the breaker's own 30 s. */
export function onBreakerReset(handler: (source: string) => void): () => void {
  return listen(CHANNEL, (payload) => {
    if (payload !== null) handler(payload);
  });
}
