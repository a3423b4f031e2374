import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { deployMigrations } from "@/bin/migrations";
import { startPostgres, stopAbandonedPostgres } from "@/bin/boot/postgres.mjs";
import { requireLocal, sibling } from "@/test/support/local-database";

/** A Postgres for one test run, with the migrated database that every test database is copied from. */
export interface ThrowawayServer {
  /** URL of a database of the server that no test uses. */
  readonly url: string;
  readonly template: string;
  stop(): Promise<void>;
}

/**
 * Starts a server on a free port, or uses the local one that DATABASE_URL names. A `durable` one writes to disk as
 * `npm start`'s does, for measurements.
 */
export async function startThrowawayServer({ durable = false } = {}): Promise<ThrowawayServer> {
  const given = process.env["DATABASE_URL"];
  const server =
    given === undefined ? await startEmbedded(!durable) : { url: requireLocal(given), stop: async () => {} };
  const template = `quartermaster_template_${process.pid}`;
  const admin = new Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`create database "${template}"`);
  await admin.end();
  await deployMigrations(sibling(server.url, template));
  return {
    url: server.url,
    template,
    stop: async () => {
      if (given !== undefined) await dropDatabase(server.url, template);
      await server.stop();
    },
  };
}

const PREFIX = "quartermaster-test-";
/** Linux's file system in memory: copying a database of 400 files takes a sixth of the processor time that a disk takes. */
const MEMORY = "/dev/shm";
/** The largest tests write some hundred megabytes. Containers often have 64 MB there. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

/** Whether the file system in memory has room for a throwaway server. */
function isMemoryLarge(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ENOUGH_BYTES;
}

async function startEmbedded(throwaway: boolean) {
  for (const folder of [tmpdir(), MEMORY]) if (existsSync(folder)) await sweepAbandoned(folder);
  const folder = throwaway && isMemoryLarge() ? MEMORY : tmpdir();
  const dataDir = mkdtempSync(join(folder, `${PREFIX}${process.pid}-`));
  chmodSync(dataDir, 0o711);
  const postgres = await startPostgres({ dataDir, throwaway, maxConnections: 300 });
  return {
    url: postgres.url,
    stop: async () => {
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Servers of runs that were killed: stopped and removed, or they would pile up. */
async function sweepAbandoned(folder: string): Promise<void> {
  for (const entry of readdirSync(folder).filter((name) => name.startsWith(PREFIX))) {
    const pid = Number(entry.slice(PREFIX.length).split("-")[0]);
    if (isAlive(pid)) continue;
    await stopAbandonedPostgres(join(folder, entry));
    rmSync(join(folder, entry), { recursive: true, force: true });
  }
}

/** Whether a process with this id runs. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Drops a database of the server and closes its connections. */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  const admin = new Client({ connectionString: serverUrl });
  await admin.connect();
  await admin.query(`drop database if exists "${name}" with (force)`);
  await admin.end();
}

/** Copies the migrated template over the database `name`; returns its URL. */
export async function copyTemplate(serverUrl: string, template: string, name: string): Promise<string> {
  const admin = new Client({ connectionString: serverUrl });
  await admin.connect();
  await admin.query(`drop database if exists "${name}" with (force)`);
  await admin.query(`create database "${name}" template "${template}" strategy file_copy`);
  await admin.end();
  return sibling(serverUrl, name);
}
