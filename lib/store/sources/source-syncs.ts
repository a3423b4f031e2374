import { UNHEALTHY_AFTER, type SourceHealthRow } from "@/lib/contracts/sources/source-health";
import { IMPORTED_KINDS, sourceKindsWhere } from "@/lib/resources/source-kinds";
import { db } from "@/lib/store/db/database";
import type { Prisma } from "@/lib/store/generated/client";

/** The kinds whose sync needs no URL. */
const STARTED = sourceKindsWhere(({ command }) => command);

/** A claim that was not extended for this long has lost its process, so another sync may begin. */
const TIMEOUT_MS = 5 * 60_000;
/** Milliseconds between two extensions of a claim. */
const EXTEND_MS = 60_000;

/** The right to synchronise a source. A later claim of the same source has a later start. */
export interface SyncClaim {
  readonly source: string;
  readonly startedAt: Date;
}

/** Claims the right to synchronise a source: at most one sync per source runs in all processes. `null`: another runs. */
export async function claimSync(source: string, now: Date): Promise<SyncClaim | null> {
  const busyUntil = new Date(now.getTime() + TIMEOUT_MS);
  const claimed = await db().$queryRaw<object[]>`
    INSERT INTO source_sync (source, "startedAt", "busyUntil") VALUES (${source}, ${now}, ${busyUntil})
    ON CONFLICT (source) DO UPDATE SET "startedAt" = EXCLUDED."startedAt", "busyUntil" = EXCLUDED."busyUntil"
    WHERE source_sync."busyUntil" IS NULL OR source_sync."busyUntil" < ${now}
    RETURNING source`;
  return claimed.length > 0 ? { source, startedAt: now } : null;
}

/**
 * Claims the source whose next sync is most overdue, or `null`. When several processes try at once, one gets it, because
 * the claim updates the start of the last sync.
 */
export async function claimDueSync(now: Date): Promise<SyncClaim | null> {
  const busyUntil = new Date(now.getTime() + TIMEOUT_MS);
  const claimed = await db().$queryRaw<{ source: string }[]>`
    WITH due AS (
      SELECT source.name, source."syncMinutes" * interval '1 minute' AS period FROM source
      LEFT JOIN source_sync ON source_sync.source = source.name
      WHERE source.enabled AND source.kind = ANY(${IMPORTED_KINDS}::text[])
        AND (source.url IS NOT NULL OR source.kind = ANY(${STARTED}::text[]))
        AND source."syncMinutes" IS NOT NULL
        AND (source_sync."busyUntil" IS NULL OR source_sync."busyUntil" < ${now})
        AND (source_sync.source IS NULL
          OR source_sync."startedAt" + source."syncMinutes" * interval '1 minute' <= ${now})
      ORDER BY source_sync."startedAt" NULLS FIRST LIMIT 1
    )
    INSERT INTO source_sync (source, "startedAt", "busyUntil") SELECT name, ${now}, ${busyUntil} FROM due
    ON CONFLICT (source) DO UPDATE SET "startedAt" = EXCLUDED."startedAt", "busyUntil" = EXCLUDED."busyUntil"
    WHERE (source_sync."busyUntil" IS NULL OR source_sync."busyUntil" < ${now})
      AND source_sync."startedAt" + (SELECT period FROM due) <= ${now}
    RETURNING source`;
  return claimed[0] === undefined ? null : { source: claimed[0].source, startedAt: now };
}

/** Extends a claim until the returned function is called: reading and saving may take longer than its time. */
export function keepClaim(claim: SyncClaim): () => void {
  // The next extension makes up for a failed one.
  const timer = setInterval(() => void extendClaim(claim, new Date()).catch(() => {}), EXTEND_MS);
  return () => clearInterval(timer);
}

/** Extends a claim once, unless it has ended or another sync has claimed the source since. */
export async function extendClaim({ source, startedAt }: SyncClaim, now: Date): Promise<void> {
  const busyUntil = new Date(now.getTime() + TIMEOUT_MS);
  await db().sourceSync.updateMany({ where: { source, startedAt, busyUntil: { not: null } }, data: { busyUntil } });
}

/**
 * Releases a claim and stores the result; `error` is a sentence for the admin, `null` after a success. A claim that another
 * sync has replaced stays, and the answer is false.
 */
export async function endSync(
  { source, startedAt }: SyncClaim,
  error: string | null,
  now: Date,
  tx: Prisma.TransactionClient = db(),
): Promise<boolean> {
  const data =
    error === null
      ? { busyUntil: null, syncedAt: now, failures: 0, failedAt: null, error: null }
      : { busyUntil: null, failures: { increment: 1 }, failedAt: now, error };
  const { count } = await tx.sourceSync.updateMany({ where: { source, startedAt }, data });
  return count > 0;
}

/**
 * Stores since when the app receives no change notices from a source's server. `isListening`: it receives them again.
 */
export async function noteListening(source: string, isListening: boolean, now: Date): Promise<void> {
  // A source that was never synchronised has no row and no `deafSince` to clear.
  if (isListening) {
    const deaf = { source, deafSince: { not: null } };
    await db().sourceSync.updateMany({ where: deaf, data: { deafSince: null } });
    return;
  }
  // A source that was never synchronised has no row. A new row that starts at the epoch keeps its sync due.
  await db().$executeRaw`
    INSERT INTO source_sync (source, "startedAt", "deafSince")
    SELECT name, to_timestamp(0), ${now} FROM source WHERE name = ${source}
    ON CONFLICT (source) DO UPDATE SET "deafSince" = COALESCE(source_sync."deafSince", EXCLUDED."deafSince")`;
}

/** The sync state of every imported source, in order of name. */
export async function listSourceHealth(now: Date): Promise<SourceHealthRow[]> {
  const sources = await db().source.findMany({
    where: { kind: { in: IMPORTED_KINDS } },
    orderBy: { name: "asc" },
    select: { name: true, kind: true, syncMinutes: true, url: true, enabled: true, sync: true },
  });
  return sources.map(({ name, kind, syncMinutes, url, enabled, sync }) => {
    const scheduled = syncMinutes !== null && enabled && (url !== null || STARTED.some((started) => started === kind));
    const next = sync === null ? now : new Date(sync.startedAt.getTime() + (syncMinutes ?? 0) * 60_000);
    return {
      source: name,
      health: healthOf(sync),
      busy: sync?.busyUntil !== undefined && sync.busyUntil !== null && sync.busyUntil > now,
      syncedAt: sync?.syncedAt?.toISOString() ?? null,
      failures: sync?.failures ?? 0,
      failedAt: sync?.failedAt?.toISOString() ?? null,
      error: sync?.error ?? null,
      deafSince: sync?.deafSince?.toISOString() ?? null,
      nextAt: scheduled ? next.toISOString() : null,
    };
  });
}

function healthOf(
  sync: { readonly failures: number; readonly syncedAt: Date | null } | null,
): SourceHealthRow["health"] {
  if (sync === null || (sync.failures === 0 && sync.syncedAt === null)) return "unknown";
  if (sync.failures === 0) return "healthy";
  return sync.failures < UNHEALTHY_AFTER ? "degraded" : "unhealthy";
}
