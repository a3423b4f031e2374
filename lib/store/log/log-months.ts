import { AppError } from "@/lib/errors";
import type { ArchiveManifest } from "@/lib/contracts/log/retention";
import type { SignedSeal } from "@/lib/contracts/log/seal";
import { bulkDb, db } from "@/lib/store/db/database";
import type { Prisma } from "@/lib/store/generated/client";
import { logSession, type Ask } from "@/lib/store/db/log-session";
import { readSealsCovering } from "@/lib/store/audit/seals";
import { translated } from "@/lib/store/db/translate";
import type { Stored } from "@/lib/store/config/values";

/** When a month begins, and when the next one does. */
export interface MonthSpan {
  readonly from: Date;
  readonly to: Date;
}

/** What of a month is in the log. */
export interface MonthRows {
  /** Intents and outcomes. */
  readonly rows: number;
  /** Calls that have not ended. */
  readonly open: number;
  /** The transactions that wrote the rows: `fromXid <= xid < toXid`; equal without rows. */
  readonly fromXid: number;
  readonly toXid: number;
}

/** An archive and where it is. */
export interface StoredArchive {
  readonly manifest: ArchiveManifest;
  readonly place: string;
}

/** The span of a month such as `2026-01`, in UTC. */
export function spanOf(month: string): MonthSpan {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return { from: new Date(Date.UTC(year, number - 1)), to: new Date(Date.UTC(year, number)) };
}

/** The months that have tables of their own, the newest first. */
export async function readMonths(): Promise<readonly string[]> {
  return logSession("read", async (ask) => {
    const rows = await ask<{ month: string }>(
      `SELECT replace(substring(relname FROM '\\d{4}_\\d{2}$'), '_', '-') AS month
       FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
       WHERE inhparent = 'execution'::regclass AND relname ~ '^execution_\\d{4}_\\d{2}$' ORDER BY 1 DESC`,
    );
    return rows.map(({ month }) => month);
  });
}

/** Counts the rows of a month that the log has. */
export async function readMonthRows(month: string): Promise<MonthRows> {
  const { from, to } = spanOf(month);
  return logSession("read", async (ask) => {
    const [row] = await ask<{ rows: number; open: number; first: string | null; last: string | null }>(
      `WITH intent AS (SELECT count(*) AS n, min(xid::text::bigint) AS first, max(xid::text::bigint) AS last
          FROM execution WHERE at >= $1 AND at < $2),
        outcome AS (SELECT count(*) AS n, min(xid::text::bigint) AS first, max(xid::text::bigint) AS last
          FROM execution_outcome WHERE "callAt" >= $1 AND "callAt" < $2)
       SELECT (intent.n + outcome.n)::int AS rows, (intent.n - outcome.n)::int AS open,
         least(intent.first, outcome.first) AS first, greatest(intent.last, outcome.last) AS last FROM intent, outcome`,
      [from, to],
    );
    const { rows = 0, open = 0, first = null, last = null } = row ?? {};
    return { rows, open, fromXid: Number(first ?? 0), toXid: last === null ? 0 : Number(last) + 1 };
  });
}

/** How many rows of a month no seal covers. */
export async function countUnsealed(month: string): Promise<number> {
  const { from, to } = spanOf(month);
  const since = `xid >= (SELECT COALESCE(max("toXid"), 0) FROM seal)::text::xid8`;
  return logSession("read", async (ask) => {
    const [row] = await ask<{ count: number }>(
      `SELECT ((SELECT count(*) FROM execution WHERE at >= $1 AND at < $2 AND ${since})
         + (SELECT count(*) FROM execution_outcome WHERE "callAt" >= $1 AND "callAt" < $2 AND ${since}))::int AS count`,
      [from, to],
    );
    return row?.count ?? 0;
  });
}

/** The seals after a number that cover transactions of a month, of one era and together with about `most` rows. */
export async function readMonthSeals(
  ask: Ask,
  covering: MonthRows,
  after: number,
  most: number,
): Promise<readonly SignedSeal[]> {
  const found = await readSealsCovering(ask, covering, { after, most: 200 });
  const seals: SignedSeal[] = [];
  let held = 0;
  for (const seal of found) {
    if (held >= most || seal.era !== (seals[0] ?? seal).era) break;
    seals.push(seal);
    held += seal.count;
  }
  return seals;
}

/** Keeps what an archive is, once it is whole. @throws AppError `config_unavailable` */
export async function addArchive({ manifest, place }: StoredArchive): Promise<void> {
  await translated(() => db().logArchive.create({ data: { ...manifest, at: new Date(manifest.at), place } }));
}

/** The last archive of each month. @throws AppError `config_unavailable` */
export async function readArchives(): Promise<ReadonlyMap<string, StoredArchive>> {
  const rows = await translated(() => db().logArchive.findMany({ orderBy: { at: "asc" } }));
  return new Map(rows.map((row) => [row.month, toArchive(row)]));
}

/** The months that were dropped. @throws AppError `config_unavailable` */
export async function readDropped(): Promise<ReadonlyMap<string, Stored<"dropped-months">>> {
  const rows = await translated(() => db().logDrop.findMany({ orderBy: { name: "asc" } }));
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

/** Drops the tables of a month on a transaction. @throws AppError `conflict` when the database refuses, and why */
export async function dropTables(tx: Prisma.TransactionClient, month: string, archive: string): Promise<void> {
  try {
    await tx.$queryRaw`SELECT drop_log_month(${month}, ${archive})::text`;
  } catch (error) {
    const text = error instanceof Error ? error.message : "";
    const why = /the month \S+ (?:is|has)[^"`\n]*/.exec(text)?.[0];
    if (why !== undefined) throw new AppError("conflict", `It was not dropped: ${why}.`, { cause: error });
    if (text.includes("lock timeout") || text.includes("55P03"))
      throw new AppError("conflict", "It was not dropped: the log is too busy just now. Try again.", { cause: error });
    throw error;
  }
}

/** Lets claims go that were kept before a time and that no call in the log is decided on any more. */
export async function dropUnusedClaims(before: Date): Promise<number> {
  return translated(
    () => bulkDb().$executeRaw`
      DELETE FROM execution_claims claims WHERE claims."at" < ${before}
        AND NOT EXISTS (SELECT FROM execution WHERE execution."claimsDigest" = claims."digest")`,
  );
}

type ArchiveRow = Awaited<ReturnType<ReturnType<typeof db>["logArchive"]["findMany"]>>[number];

function toArchive({ place, at, parts, seals, ...row }: ArchiveRow): StoredArchive {
  const manifest = { ...row, at: at.toISOString(), parts, seals } as unknown as ArchiveManifest;
  return { manifest, place };
}
