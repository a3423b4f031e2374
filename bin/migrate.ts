import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deployMigrations, writeMigration } from "@/bin/migrations";
import { startPostgres } from "./boot/postgres.mjs";
import { messageOf } from "@/lib/errors";

// npm run migrate              applies the missing migrations to DATABASE_URL
// npm run migrate:new -- NAME  writes prisma/migrations/<stamp>_NAME from the schema files

async function withThrowawayPostgres<T>(run: (url: string) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), "quartermaster-migrate-"));
  chmodSync(dataDir, 0o711);
  const postgres = await startPostgres({ dataDir, throwaway: true });
  try {
    return await run(postgres.url);
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function main([command, name]: readonly string[]): Promise<void> {
  if (command === "deploy") {
    const url = process.env["DATABASE_URL"];
    if (url === undefined) throw new Error("Set DATABASE_URL to the database to migrate (postgres://…).");
    const applied = await deployMigrations(url);
    console.log(applied.length === 0 ? "The database is up to date." : `Applied ${applied.join(", ")}.`);
  } else if (command === "new" && name !== undefined) {
    const dir = await withThrowawayPostgres((url) => writeMigration(url, name));
    console.log(dir === null ? "The schema has not changed: no migration written." : `Wrote ${dir}.`);
  } else {
    throw new Error("Usage: npm run migrate, or npm run migrate:new -- NAME");
  }
}

await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(messageOf(error));
  process.exitCode = 1;
});
