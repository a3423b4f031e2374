import { rowsOf } from "@/lib/store/db/database";
import { Prisma } from "@/lib/store/generated/client";

/** Whether the database has a history of migrations. @throws errors of the store */
export async function isMigrated(): Promise<boolean> {
  const [history] = await rowsOf<{ made: boolean }>(
    Prisma.sql`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS made`,
  );
  return history?.made === true;
}

/**
 * The migrations among `names` that the database lacks or has not finished. The database may have more: those of a later
 * version, which only add (decision 24).
 *
 * @throws errors of the store
 */
export async function missingMigrations(names: readonly string[]): Promise<readonly string[]> {
  if (!(await isMigrated())) return names;
  const rows = await rowsOf<{ name: string }>(Prisma.sql`
    SELECT name FROM unnest(${names}::text[]) AS wanted (name)
    WHERE NOT EXISTS (SELECT FROM _prisma_migrations
      WHERE migration_name = name AND finished_at IS NOT NULL AND rolled_back_at IS NULL)
    ORDER BY name`);
  return rows.map(({ name }) => name);
}
