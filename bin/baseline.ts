import { createHash, randomUUID } from "node:crypto";
import type { Client } from "pg";

/** The last of the migrations that the baseline replaced. They led to exactly the database that the baseline makes. */
const LAST_REPLACED = "20261123040451_drift_held_by_hand";

/** The first migration below `prisma/migrations`: it makes a whole database. */
interface Baseline {
  readonly name: string;
  readonly script: string;
}

/**
 * The history `names`, in order, with the baseline in the place of the migrations that it replaced.
 *
 * @throws a sentence for the operator when the history ends before the last replaced migration
 */
export function fromBaseline(names: readonly string[], baseline: string): readonly string[] {
  if (names.length === 0 || names.includes(baseline)) return names;
  const last = names.at(-1) ?? "";
  if (last === LAST_REPLACED) return [baseline];
  throw new Error(
    `Its last migration is ${last}, and this version continues from ${LAST_REPLACED}. ` +
      "First run `npm run migrate` of the version that ends with that migration (prisma/README.md), then this version.",
  );
}

/** One migration of a database's history that was not rolled back. */
interface Applied {
  readonly name: string;
  readonly finished: boolean;
}

/** A database's migrations, in order. */
export async function readHistory(client: Client): Promise<readonly Applied[]> {
  const [table] = (
    await client.query<{ made: boolean }>("select to_regclass('_prisma_migrations') is not null as made")
  ).rows;
  if (table?.made !== true) return [];
  const { rows } = await client.query<Applied>(
    `select migration_name as name, finished_at is not null as finished from _prisma_migrations
     where rolled_back_at is null order by migration_name`,
  );
  return rows;
}

/**
 * Records the baseline as the whole history of a database that the replaced migrations made; leaves every other database as it is.
 *
 * @throws a sentence for the operator when the database is at an earlier replaced migration, or one did not finish
 */
export async function adoptBaseline(client: Client, { name, script }: Baseline): Promise<void> {
  const history = await readHistory(client);
  const names = history.map((row) => row.name);
  if (fromBaseline(names, name) === names) return;
  const unfinished = history.find(({ finished }) => !finished);
  if (unfinished !== undefined)
    throw new Error(
      `The migration ${unfinished.name} did not finish: first run \`npm run migrate\` of the version before this one.`,
    );
  const checksum = createHash("sha256").update(script).digest("hex");
  // One statement: another process sees the old history or the new one.
  await client.query(
    `with replaced as (delete from _prisma_migrations)
     insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     values ($1, $2, $3, now(), 1)`,
    [randomUUID(), checksum, name],
  );
}
