import { appendFileSync, chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@/bin/postgres.mjs";
import { writeMigration } from "@/bin/migrations";

// npx tsx prisma/init.ts — writes the first migration anew from prisma/schema/*.prisma and appends
// prisma/sql/*.sql (what the models cannot say). Only until the first release: see README.md beside this.

const migrations = join(process.cwd(), "prisma/migrations");
for (const entry of readdirSync(migrations, { withFileTypes: true }))
  if (entry.isDirectory()) rmSync(join(migrations, entry.name), { recursive: true });

const dataDir = mkdtempSync(join(tmpdir(), "quartermaster-init-"));
chmodSync(dataDir, 0o711);
const postgres = await startPostgres({ dataDir, throwaway: true });
try {
  const dir = await writeMigration(postgres.url, "init", process.cwd(), new Date("2026-01-01T00:00:00Z"));
  if (dir === null) throw new Error("prisma/schema holds no models.");
  const sql = join(process.cwd(), "prisma/sql");
  for (const file of readdirSync(sql).toSorted())
    appendFileSync(join(dir, "migration.sql"), `\n-- prisma/sql/${file}\n${readFileSync(join(sql, file), "utf8")}`);
  console.log(`Wrote ${dir}.`);
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
