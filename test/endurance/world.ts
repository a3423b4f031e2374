import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { buildPrograms } from "@/bin/boot/build.mjs";
import { deployMigrations } from "@/bin/migrations";
import { startPostgres, stopAbandonedPostgres } from "@/bin/boot/postgres.mjs";
import { apiKeys } from "@/lib/store/config/api-keys";
import { closeDatabase } from "@/lib/store/db/database";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { ENDURANCE, saveShop } from "@/test/endurance/document";
import { startUpstream, type Upstream } from "@/test/endurance/upstream";
import { freePort } from "@/test/support/servers/free-port";
import { prepareInstance, type Instance } from "@/test/support/processes/instance";
import { startIssuer, type TestIssuer } from "@/test/support/servers/issuer";
import { isAlive } from "@/test/support/servers/throwaway-server";

/** An installation to be ill-treated: a PostgreSQL that keeps its promises, an upstream, an issuer, and gateways. */
export interface World {
  readonly upstream: Upstream;
  readonly issuer: TestIssuer;
  /** API keys: of the caller, and of an agent whose key was revoked. */
  readonly key: string;
  readonly revokedKey: string;
  /** Whether the database's files are on a separate file system in this folder, which tests may fill. */
  readonly ownDisk: string | null;
  /** Ends PostgreSQL as a crash does, unless it ended by itself, and starts it again; resolves when it takes connections. */
  restartPostgres(): Promise<void>;
  /** Runs SQL as its owner, past everything that may be broken. */
  query<R extends object>(sql: string, values?: readonly unknown[]): Promise<R[]>;
  /** Prepares a gateway; it is ended with the world. */
  gateway(env?: Record<string, string>): Promise<Instance>;
  stop(): Promise<void>;
}

const PREFIX = "quartermaster-endurance-";
/** Of the file system: a cluster, and the log that it writes ahead. */
const DISK_MB = 2_048;

/**
 * Makes one; `process.env` names its database afterwards, for the code of this process. Call it before anything of `lib` has
 * read the environment.
 */
export async function makeWorld(): Promise<World> {
  await buildPrograms(process.cwd());
  await sweepAbandoned();
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  chmodSync(folder, 0o711);
  const ownDisk = mountDisk(folder);
  const opened: (() => unknown)[] = [];
  const stop = async () => {
    for (const close of opened.toReversed()) await close();
    if (ownDisk !== null) execFileSync("umount", ["--lazy", folder]);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return await fill(folder, ownDisk, opened, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function fill(
  folder: string,
  ownDisk: string | null,
  opened: (() => unknown)[],
  stop: () => Promise<void>,
): Promise<World> {
  // Durable, unlike other tests': what was committed outlives a crash.
  let postgres = await startPostgres({ dataDir: folder, maxConnections: 200 });
  opened.push(() => postgres.stop());
  await deployMigrations(postgres.url);
  const env = {
    DATABASE_URL: postgres.url,
    DATA_DIR: folder,
    NEXTAUTH_SECRET: "a secret of these tests that is long enough",
    NEXTAUTH_URL: "http://127.0.0.1:3000",
    MASTER_KEY: Buffer.alloc(32, 9).toString("base64"),
    LOG_LEVEL: "silent",
    // A few callers make the load of many.
    CALLS_PER_CALLER: "10000",
  };
  Object.assign(process.env, env);
  const upstream = await startUpstream();
  opened.push(upstream.close);
  const issuer = await startIssuer();
  opened.push(issuer.close);
  await saveShop(upstream.host, issuer);
  const keyOf = async (agent: string) =>
    (await apiKeys.create(ENDURANCE, { name: `of-${agent}`, agent, expiresAt: null, enabled: true })).key;
  const [key, revokedKey] = [await keyOf("caller"), await keyOf("gone")];
  await apiKeys.remove(ENDURANCE, "of-gone");
  opened.push(async () => {
    closeSnapshot();
    await closeDatabase();
  });
  const query = async <R extends object>(sql: string, values: readonly unknown[] = []) => {
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    try {
      return (await client.query<R>(sql, [...values])).rows;
    } finally {
      await client.end();
    }
  };
  return {
    upstream,
    issuer,
    key,
    revokedKey,
    ownDisk,
    query,
    restartPostgres: async () => {
      try {
        process.kill(postgres.pid, "SIGKILL");
      } catch {
        // It ended by itself.
      }
      await postgres.stopped;
      postgres = await startAgain(folder, postgres.url);
    },
    gateway: async (more = {}) => {
      const allow = [upstream.host, issuer.host].join();
      const instance = await prepareInstance(await freePort(), postgres.url, { OUTBOUND_ALLOW: allow, ...more });
      opened.push(async () => {
        await instance.kill();
        instance.wire.close();
      });
      return instance;
    },
    stop,
  };
}

/** Its backends, which outlive a killed server by moments, hold the memory that the next one wants. */
async function startAgain(dataDir: string, url: string) {
  for (let tried = 0; ; tried += 1) {
    try {
      const postgres = await startPostgres({ dataDir, maxConnections: 200 });
      if (postgres.url === url) return postgres;
      await postgres.stop();
      throw new Error("Its port was taken meanwhile.");
    } catch (error) {
      if (tried === 40) throw error;
      await delay(50);
    }
  }
}

/** Worlds of processes that were killed: a database and a file system each. */
async function sweepAbandoned(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    if (isAlive(Number(name.slice(PREFIX.length).split("-")[0]))) continue;
    const folder = join(tmpdir(), name);
    await stopAbandonedPostgres(folder);
    // Fails where none was mounted.
    spawnSync("umount", ["--lazy", folder], { stdio: "ignore" });
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A file system in memory, where this process may mount one. */
function mountDisk(folder: string): string | null {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MB}m,mode=0711`, "quartermaster", folder], {
      stdio: "ignore",
    });
    return folder;
  } catch {
    return null;
  }
}
