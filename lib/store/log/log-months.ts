import { AppError, messageOf } from "@/lib/errors";
import type { ArchiveManifest } from "@/lib/contracts/log/retention";
import type { SignedSeal } from "@/lib/contracts/log/seal";
import { bulkDb, db } from "@/lib/store/db/database";
import type { Prisma } from "@/lib/store/generated/client";
import { logSession, type RunQuery } from "@/lib/store/db/log-session";
import { readLastSeal, readSealsCovering, readUnsealed } from "@/lib/store/audit/seals";
import type { Stored } from "@/lib/store/config/values";

/** The start of a month and of the next one. */
interface MonthSpan {
  readonly from: Date;
  readonly to: Date;
}

/** The log rows of a month. */
export interface MonthRows {
  /** Intents, outcomes and audit events. */
  readonly rows: number;
  /** The audit events among them: those of the month in which they happened. */
  readonly events: number;
  /** Calls that have not ended. */
  readonly open: number;
  /** The transactions that wrote the rows: `fromXid <= xid < toXid`; equal without rows. */
  readonly fromXid: number;
  readonly toXid: number;
}

/** An archive and its location. */
interface StoredArchive {
  readonly manifest: ArchiveManifest;
  readonly place: string;
  /** The audit events among its rows; `null` for an archive of an older version, which has none. */
  readonly events: number | null;
}

/** The span of a month such as `2026-01`, in UTC. */
export function spanOf(month: string): MonthSpan {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return { from: new Date(Date.UTC(year, number - 1)), to: new Date(Date.UTC(year, number)) };
}

/** The months with their own partitions, newest first. */
export async function readMonths(): Promise<readonly string[]> {
  return logSession("read", async (runQuery) => {
    const rows = await runQuery<{ month: string }>(
      `SELECT replace(substring(relname FROM '\\d{4}_\\d{2}$'), '_', '-') AS month
       FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
       WHERE inhparent = 'execution'::regclass AND relname ~ '^execution_\\d{4}_\\d{2}$' ORDER BY 1 DESC`,
    );
    return rows.map(({ month }) => month);
  });
}

/** Counts the log rows of a month. */
export async function readMonthRows(month: string): Promise<MonthRows> {
  const { from, to } = spanOf(month);
  return logSession("read", async (runQuery) => {
    const [row] = await runQuery<Omit<MonthRows, "fromXid" | "toXid"> & { first: string | null; last: string | null }>(
      `WITH intent AS (SELECT count(*) AS n, min(xid::text::bigint) AS first, max(xid::text::bigint) AS last
          FROM execution WHERE at >= $1 AND at < $2),
        outcome AS (SELECT count(*) AS n, min(xid::text::bigint) AS first, max(xid::text::bigint) AS last
          FROM execution_outcome WHERE "callAt" >= $1 AND "callAt" < $2),
        event AS (SELECT count(*) AS n, min(xid::text::bigint) AS first, max(xid::text::bigint) AS last
          FROM audit_event WHERE at >= $1 AND at < $2)
       SELECT (intent.n + outcome.n + event.n)::int AS rows, event.n::int AS events, (intent.n - outcome.n)::int AS open,
         least(intent.first, outcome.first, event.first) AS first,
         greatest(intent.last, outcome.last, event.last) AS last FROM intent, outcome, event`,
      [from, to],
    );
    const { rows = 0, events = 0, open = 0, first = null, last = null } = row ?? {};
    return { rows, events, open, fromXid: Number(first ?? 0), toXid: last === null ? 0 : Number(last) + 1 };
  });
}

/** Counts the rows of a month that no seal covers. */
export async function countUnsealed(month: string): Promise<number> {
  return logSession("read", async (runQuery) => {
    const { count } = await readUnsealed(runQuery, await readLastSeal(runQuery), spanOf(month));
    return count;
  });
}

/** The seals after a number that cover transactions of a month: of one era, together with about `most` rows. */
export async function readMonthSeals(
  runQuery: RunQuery,
  covering: MonthRows,
  after: number,
  most: number,
): Promise<readonly SignedSeal[]> {
  const found = await readSealsCovering(runQuery, covering, { after, most: 200 });
  const seals: SignedSeal[] = [];
  let held = 0;
  for (const seal of found) {
    if (held >= most || seal.era !== (seals[0] ?? seal).era) break;
    seals.push(seal);
    held += seal.count;
  }
  return seals;
}

/** Stores a finished archive. @throws AppError `config_unavailable` */
export async function addArchive({ manifest, place, events }: StoredArchive): Promise<void> {
  await db().logArchive.create({ data: { ...manifest, at: new Date(manifest.at), place, events } });
}

/** The last archive of each month. @throws AppError `config_unavailable` */
export async function readArchives(): Promise<ReadonlyMap<string, StoredArchive>> {
  const rows = await db().logArchive.findMany({ orderBy: { at: "asc" } });
  return new Map(rows.map((row) => [row.month, toArchive(row)]));
}

/** The dropped months. @throws AppError `config_unavailable` */
export async function readDropped(): Promise<ReadonlyMap<string, Stored<"dropped-months">>> {
  const rows = await db().logDrop.findMany({ orderBy: { name: "asc" } });
  return new Map(
    rows.map((row) => [
      row.name,
      {
        ...row,
        at: row.at.toISOString(),
        createdAt: row.createdAt.toISOString(),
        updatedAt: row.updatedAt.toISOString(),
      },
    ]),
  );
}

/** Drops the partitions and the audit events of a month in a transaction. @throws AppError `conflict` with the database's reason to refuse */
export async function dropTables(tx: Prisma.TransactionClient, month: string, archive: string): Promise<void> {
  try {
    await tx.$queryRaw`SELECT drop_log_month(${month}, ${archive})::text`;
  } catch (error) {
    const text = messageOf(error);
    const why = /the month \S+ (?:is|has)[^"`\n]*/.exec(text)?.[0];
    if (why !== undefined) throw new AppError("conflict", `It was not dropped: ${why}.`, { cause: error });
    if (text.includes("lock timeout") || text.includes("55P03"))
      throw new AppError("conflict", "The month was not dropped, because the log is busy. Try again.", {
        cause: error,
      });
    throw error;
  }
}

/** Deletes claims from before a time that no call in the log refers to. Returns how many. */
export async function dropUnusedClaims(before: Date): Promise<number> {
  return bulkDb().$executeRaw`
    DELETE FROM execution_claims claims WHERE claims."at" < ${before}
      AND NOT EXISTS (SELECT FROM execution WHERE execution."claimsDigest" = claims."digest")`;
}

type ArchiveRow = Awaited<ReturnType<ReturnType<typeof db>["logArchive"]["findMany"]>>[number];

function toArchive({ place, events, at, parts, seals, ...row }: ArchiveRow): StoredArchive {
  const manifest = { ...row, at: at.toISOString(), parts, seals } as unknown as ArchiveManifest;
  return { manifest, place, events };
}
