import { knownApp } from "@/lib/server/known-app";
import { Reply } from "@/lib/http/reply";
import { route } from "@/lib/http/route";
import type { LogHealth } from "@/lib/contracts/agents/health";
import { db } from "@/lib/store/db/database";
import { liveInstance } from "@/lib/store/log/executions-reaper";
import { readLogHealth } from "@/lib/store/log/log-health";
import { migrationNames } from "@/lib/server/migration-names";
import { missingMigrations } from "@/lib/store/db/migrations";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";
import { log } from "@/lib/telemetry/log";

/** GET /api/health: the process answers. */
export const health = route({
  authenticate: async () => null,
  respond: async () => ({ status: "ok" }),
});

/**
 * GET /api/ready: database, migrations and configuration are there, so calls can be decided and logged; 503
 * names what is not. Asking also starts the heartbeat by which calls of dead processes are found. How the log is kept is
 * said beside it and fails nothing: a log that is not sealed for a while loses no row, and is an alarm of its own. So is
 * the app: agents do not need it.
 */
export const ready = route({
  authenticate: async () => null,
  respond: async () => {
    // At once: a store that is lost costs each of them its time.
    const [database, migrations, configuration, integrity] = await Promise.all([
      holds(() => db().$queryRaw`SELECT 1`),
      holds(requireMigrations),
      holds(() => currentSnapshot()),
      readLogHealth().catch(() => UNKNOWN),
    ]);
    const checks = { database, migrations, configuration };
    const isReady = Object.values(checks).every(Boolean);
    const app = knownApp();
    const answer = {
      status: isReady ? "ready" : "not_ready",
      checks,
      log: integrity,
      ...(app !== null && { app: app.isReady() ? "ready" : "starting" }),
    };
    return Reply.json(answer, isReady ? 200 : 503);
  },
});

const UNKNOWN: LogHealth = { protection: "unknown", sealing: "unknown" };

/** A process is sent no requests before the tables are of its version (docs/deploy.md), nor before it has said that it is alive. */
async function requireMigrations(): Promise<void> {
  const missing = await missingMigrations((own ??= migrationNames(process.cwd())));
  if (missing.length > 0) throw new Error(`The database lacks ${missing.join(", ")}: npm run migrate.`);
  await liveInstance();
}

/** Kept: the files of a version that is put in place of this one are none of this process's. */
let own: readonly string[] | null = null;

async function holds(look: () => PromiseLike<unknown>): Promise<boolean> {
  try {
    await look();
    return true;
  } catch (error) {
    log.warn({ err: error }, "Not ready.");
    return false;
  }
}
