import { AppError } from "@/lib/errors";
import type { Archiving } from "@/lib/contracts/log/retention";
import type { Actor } from "@/lib/store/save/change";
import { db } from "@/lib/store/db/database";

/** Milliseconds without a progress report after which another process may begin a running archive again. */
const SILENT_MS = 120_000;

/** An archive job that this process has claimed. */
interface ClaimedArchiving {
  readonly month: string;
  readonly actor: Actor;
}

/** The archive jobs, by month. @throws AppError `config_unavailable` */
export async function readArchivings(): Promise<ReadonlyMap<string, Archiving>> {
  const rows = await db().logArchiving.findMany();
  return new Map(
    rows.map(({ month, status, done, total, error }) => [
      month,
      { status: status as Archiving["status"], done, total, error },
    ]),
  );
}

/** Requests an archive of a month. @throws AppError `conflict` while one is under way, `config_unavailable` */
export async function requestArchive(month: string, actor: Actor, now: Date): Promise<void> {
  const who = JSON.stringify(actor);
  const inserted = await db().$executeRaw`
    INSERT INTO log_archiving (month, actor, status, "askedAt", "updatedAt") VALUES (${month}, ${who}::jsonb, 'asked', ${now}, ${now})
    ON CONFLICT (month) DO UPDATE SET actor = excluded.actor, status = 'asked', "askedAt" = excluded."askedAt",
      "updatedAt" = excluded."updatedAt", done = 0, total = 0, error = NULL
    WHERE log_archiving.status IN ('done', 'failed')`;
  if (inserted === 0) throw new AppError("conflict", `${month} is already being archived.`);
}

/** Claims an archive that is requested, or whose process has died; `null` when there is none. */
export async function claimArchiving(now: Date): Promise<ClaimedArchiving | null> {
  const silent = new Date(now.getTime() - SILENT_MS);
  const [row] = await db().$queryRaw<{ month: string; actor: Actor }[]>`
    UPDATE log_archiving SET status = 'running', "updatedAt" = ${now}, done = 0, total = 0, error = NULL
    WHERE month = (SELECT month FROM log_archiving
      WHERE status = 'asked' OR (status = 'running' AND "updatedAt" < ${silent})
      ORDER BY "askedAt" LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING month, actor`;
  return row ?? null;
}

/** Reports the progress of an archive. @throws AppError `config_unavailable` */
export async function noteArchiving(month: string, done: number, total: number, now: Date): Promise<void> {
  await db().logArchiving.updateMany({ where: { month }, data: { done, total, updatedAt: now } });
}

/** Marks an archive as done, or as failed with its error. @throws AppError `config_unavailable` */
export async function endArchiving(month: string, error: string | null, now: Date): Promise<void> {
  const status = error === null ? "done" : "failed";
  await db().logArchiving.updateMany({ where: { month }, data: { status, error, updatedAt: now } });
}
