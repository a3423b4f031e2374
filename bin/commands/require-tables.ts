import { noAnswer } from "@/bin/commands/no-answer";
import { CommandProblem } from "@/bin/commands/output";
import { ownRoot } from "@/bin/commands/own-root";
import { messageOf } from "@/lib/errors";
import { migrationNames } from "@/lib/server/migration-names";
import { env } from "@/lib/env";
import { missingMigrations } from "@/lib/store/db/migrations";

/** The command that creates the tables of this version, in a clone and in the image. */
export const MIGRATE =
  "Run `npm run migrate` (in the image: `node dist/migrate.mjs deploy`); `npm start` does this automatically.";

/** @throws CommandProblem naming the settings that the environment lacks */
export function requireEnvironment(): void {
  try {
    void env.DATABASE_URL;
  } catch (error) {
    throw new CommandProblem(messageOf(error));
  }
}

/** @throws CommandProblem when a setting or a table of this version is missing, or the database cannot be reached */
export async function requireTables(): Promise<void> {
  requireEnvironment();
  const missing = await readMissing();
  if (missing.length === 0) return;
  const lacks =
    missing.length > 1 ? `${missing.length} migrations, up to ${missing.at(-1)}` : `the migration ${missing[0]}`;
  throw new CommandProblem(`The database lacks ${lacks}. ${MIGRATE}`);
}

async function readMissing(): Promise<readonly string[]> {
  try {
    return await missingMigrations(migrationNames(ownRoot()));
  } catch (error) {
    throw new CommandProblem(noAnswer(error));
  }
}
