import { archiveMonth, requireArchive } from "@/lib/audit/archive/archive";
import { archiveStorage, type ArchiveStorage } from "@/lib/audit/archive/archive-storage";
import { signStatement } from "@/lib/audit/seal/statement";
import { AppError } from "@/lib/errors";
import type { DropStatement, LogMonth, LogMonths } from "@/lib/contracts/log/retention";
import { readArchivings } from "@/lib/store/audit/archivings";
import type { Actor } from "@/lib/store/save/change";
import {
  countUnsealed,
  dropTables,
  dropUnusedClaims,
  readArchives,
  readDropped,
  readMonthRows,
  readMonths,
  spanOf,
} from "@/lib/store/log/log-months";
import { readSettings } from "@/lib/store/config/settings";
import { dropObserved } from "@/lib/store/observed/remove";
import { dropUsage } from "@/lib/store/usage/remove";
import { write } from "@/lib/store/save/write";

/** The actor and the storage of retention steps. */
interface RetentionOptions {
  readonly actor: Actor;
  readonly storage: ArchiveStorage;
  readonly now?: () => Date;
}

/** One planned or finished step of retention. */
export interface RetentionStep {
  readonly month: string;
  readonly step: "archive" | "drop";
}

/** The status of each month of the log, newest first: months with rows, and dropped months. */
export async function readLogMonths(now = new Date()): Promise<LogMonths> {
  const [present, archives, archivings, dropped, { settings }] = await Promise.all([
    readMonths(),
    readArchives(),
    readArchivings(),
    readDropped(),
    readSettings(),
  ]);
  const months: LogMonth[] = [];
  for (const month of new Set([...present, ...dropped.keys()].toSorted().toReversed())) {
    const drop = dropped.get(month);
    const archived = archives.get(month);
    // An archive of an older version has no audit events: the month is archived again before it is dropped.
    const archive = drop === undefined && archived?.events === null ? undefined : archived;
    const rows = drop?.rows ?? archive?.manifest.rows ?? (await readMonthRows(month)).rows;
    if (rows === 0) continue;
    months.push({
      month,
      rows,
      unsealed: archive === undefined ? await countUnsealed(month) : 0,
      over: spanOf(month).to <= now,
      archive:
        archive === undefined
          ? null
          : { id: archive.manifest.id, at: archive.manifest.at, by: archive.manifest.actor, place: archive.place },
      archiving: archivings.get(month) ?? null,
      dropped: drop === undefined ? null : { at: drop.at, by: drop.by },
      dropsFrom: settings.retention.months === null ? null : dropsFrom(month, settings.retention.months),
    });
  }
  return { months, place: archiveStorage()?.name ?? null };
}

/** The steps that are due under the current settings, in order: the oldest month first, its archive before its drop. */
export async function planRetention(now = new Date()): Promise<readonly RetentionStep[]> {
  const keptMonths = (await readSettings()).settings.retention.months;
  const today = now.toISOString().slice(0, 10);
  // Counts rows only when a month is due.
  if (keptMonths === null || !(await readMonths()).some((month) => dropsFrom(month, keptMonths) <= today)) return [];
  const { months } = await readLogMonths(now);
  return months
    .filter(({ dropped, dropsFrom: from }) => dropped === null && from !== null && from <= today)
    .toReversed()
    .flatMap(({ month, archive }): RetentionStep[] => [
      ...(archive === null ? [{ month, step: "archive" } as const] : []),
      { month, step: "drop" },
    ]);
}

/**
 * Runs one step.
 * @throws AppError `conflict` saying why it could not run; errors of the store or the archive storage
 */
export async function runStep({ month, step }: RetentionStep, options: RetentionOptions): Promise<void> {
  if (step === "drop") return dropMonth(month, options);
  const { settings } = await readSettings();
  await archiveMonth(month, { ...options, bodies: settings.retention.archiveBodies });
}

/**
 * Drops the rows, bodies and audit events of an archived month, after reading its archive again, and signs a statement
 * that verifications rely on. Claims that no remaining call uses are dropped too. Months are dropped oldest first: an
 * audit event says of an older call that its bodies were erased.
 * @throws AppError `conflict` saying why not; `forbidden`; errors of the store or the archive storage
 */
export async function dropMonth(
  month: string,
  { actor, storage, now = () => new Date() }: RetentionOptions,
): Promise<void> {
  const [archives, dropped] = await Promise.all([readArchives(), readDropped()]);
  const { manifest, events } = archives.get(month) ?? {};
  if (manifest === undefined) throw new AppError("conflict", `The month ${month} is not archived.`);
  if (dropped.has(month)) throw new AppError("conflict", `The month ${month} was dropped already.`);
  if (events === null)
    throw new AppError(
      "conflict",
      `The month ${month} was archived without its audit events: archive the month again.`,
    );
  await requireOldest(month);
  await requireArchive(storage, manifest);
  const at = now().toISOString();
  const statement: Omit<DropStatement, "keyId"> = {
    month,
    archive: manifest.id,
    at,
    rows: manifest.rows,
    by: actor.name,
  };
  await write(
    actor,
    async (_stored, tx) => {
      await dropTables(tx, month, manifest.id);
      await dropUsage(tx, spanOf(month).to);
      await dropObserved(tx, spanOf(month).to);
      const { month: name, ...after } = signStatement(statement);
      return [{ resource: "dropped-months", action: "create", after: { name, ...after } }];
    },
    { now: now(), note: `dropped ${month} of the log` },
  );
  await dropUnusedClaims(spanOf(month).to);
}

/** @throws AppError `conflict` while the log has rows of an earlier month */
async function requireOldest(month: string): Promise<void> {
  for (const earlier of (await readMonths()).filter((one) => one < month))
    if ((await readMonthRows(earlier)).rows > 0)
      throw new AppError("conflict", `The month ${month} is not dropped before ${earlier}.`);
}

/** The first day with `months` whole months after this month. */
function dropsFrom(month: string, months: number): string {
  const { to } = spanOf(month);
  return new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + months)).toISOString().slice(0, 10);
}
