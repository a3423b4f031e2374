import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { report } from "@/bench/support/measure";
import { LARGE, fillWorld } from "@/test/support/worlds/large-world";
import { sibling } from "@/test/support/local-database";
import { copyTemplate, startThrowawayServer } from "@/test/support/servers/throwaway-server";

// Measures a backup, and its restore into another database with migrations: 10,000 tools and 100,000 logged calls.

const MAX_SECONDS = 60;
const postgres = await startThrowawayServer({ durable: true });
const folder = mkdtempSync(join(tmpdir(), "quartermaster-restore-"));
try {
  await measure();
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const url = await copyTemplate(postgres.url, postgres.template, "filled");
  Object.assign(process.env, {
    DATABASE_URL: url,
    NEXTAUTH_SECRET: "a secret of the bench that is long enough",
    NEXTAUTH_URL: "http://127.0.0.1:3000",
    MASTER_KEY: Buffer.alloc(32, 9).toString("base64"),
  });
  const database = new Client({ connectionString: url });
  await database.connect();
  const query = async <R extends object>(sql: string) => (await database.query<R>(sql)).rows;
  await fillWorld({ query }, LARGE);
  await query("create database restored");
  await database.end();

  const { backupCommand } = await import("@/bin/commands/backup");
  const { restoreFile } = await import("@/bin/commands/restore");
  const file = join(folder, "backup.sql.gz");
  const seconds = async (work: () => Promise<unknown>) => {
    const started = performance.now();
    await work();
    return (performance.now() - started) / 1000;
  };
  const backedUp = await seconds(() => backupCommand([file], { out: () => {}, error: () => {} }));
  console.log(`        ${(statSync(file).size / 1e6).toFixed(1)} MB`);
  report("backup of 100,000 calls", backedUp, { atMost: MAX_SECONDS }, " s");
  const restored = await seconds(() => restoreFile(file, sibling(postgres.url, "restored")));
  report("restore of 100,000 calls", restored, { atMost: MAX_SECONDS }, " s");
}
