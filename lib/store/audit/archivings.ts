import { AppError } from "@/lib/errors";
import type { Archiving } from "@/lib/contracts/log/retention";
import type { Actor } from "@/lib/store/save/change";
import { db } from "@/lib/store/db/database";

/** Milliseconds without a progress report after which another process may begin a running archive again. */
const SILENT_MS = 120_000;

interface ClaimedArchiving {
  readonly month: string;
  readonly actor: Actor;
  /** The time of the claim or of its last report. Another process that claims the job changes it, and this claim ends. */
  readonly updatedAt: Date;
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
  const [row] = await db().$queryRaw<ClaimedArchiving[]>`
    UPDATE log_archiving SET status = 'running', "updatedAt" = ${now}, done = 0, total = 0, error = NULL
    WHERE month = (SELECT month FROM log_archiving
      WHERE status = 'asked' OR (status = 'running' AND "updatedAt" < ${silent})
      ORDER BY "askedAt" LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING month, actor, "updatedAt"`;
  return row ?? null;
}

/**
 * Reports the progress of a claimed archive. Returns the claim for the next report.
 *
 * @throws AppError `conflict` when another process has claimed it since, `config_unavailable`
 */
export async function noteArchiving(
  claim: ClaimedArchiving,
  done: number,
  total: number,
  now: Date,
): Promise<ClaimedArchiving> {
  const { count } = await db().logArchiving.updateMany({
    where: underWay(claim),
    data: { done, total, updatedAt: now },
  });
  if (count === 0) throw new AppError("conflict", `Another process archives ${claim.month}.`);
  return { ...claim, updatedAt: now };
}

/**
 * Marks a claimed archive as done, or as failed with its error. Changes nothing when another process has claimed it since.
 *
 * @throws AppError `config_unavailable`
 */
export async function endArchiving(claim: ClaimedArchiving, error: string | null, now: Date): Promise<void> {
  const status = error === null ? "done" : "failed";
  await db().logArchiving.updateMany({ where: underWay(claim), data: { status, error, updatedAt: now } });
}

function underWay({ month, updatedAt }: ClaimedArchiving) {
  return { month, status: "running", updatedAt };
}
