import { knownApp } from "@/lib/server/known-app";
import { Reply } from "@/lib/http/reply";
import { openRoute } from "@/lib/http/contract-route";
import { SERVICE_OPERATIONS } from "@/lib/contracts/operations/service-operations";
import type { LogHealth } from "@/lib/contracts/agents/health";
import { db } from "@/lib/store/db/database";
import { liveInstance } from "@/lib/store/log/executions-reaper";
import { readLogHealth } from "@/lib/store/log/log-health";
import { migrationNames } from "@/lib/server/migration-names";
import { missingMigrations } from "@/lib/store/db/migrations";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";
import { log } from "@/lib/telemetry/log";

/** GET /api/health: the process answers. */
export const health = openRoute(SERVICE_OPERATIONS.read_health, async () => ({ status: "ok" as const }));

/**
 * GET /api/ready: 200 when database, migrations and configuration are available; 503 names the missing ones. Also starts
 * the heartbeat that lets others find the calls of dead processes. The state of the log and of the app changes no status:
 * an unsealed log loses no row, and agents do not need the app.
 */
export const ready = openRoute(SERVICE_OPERATIONS.read_readiness, async () => {
  running ??= readStores().finally(() => (running = null));
  const { integrity, ...checks } = await running;
  const isReady = Object.values(checks).every(Boolean);
  const app = knownApp();
  const answer = {
    status: isReady ? "ready" : "not_ready",
    checks,
    log: integrity,
    ...(app !== null && { app: app.isReady() ? "ready" : "starting" }),
  };
  return Reply.json(answer, isReady ? 200 : 503);
});

/** The check that runs now. Requests share it, because strangers may send many, and agents use the same connections. */
let running: ReturnType<typeof readStores> | null = null;

async function readStores() {
  // In parallel, because an unreachable store makes each of them wait for its timeout.
  const [database, migrations, configuration, integrity] = await Promise.all([
    succeeds(() => db().$queryRaw`SELECT 1`),
    succeeds(requireMigrations),
    succeeds(() => currentSnapshot()),
    readLogHealth().catch(() => UNKNOWN),
  ]);
  return { database, migrations, configuration, integrity };
}

const UNKNOWN: LogHealth = { protection: "unknown", sealing: "unknown" };

/** Requests arrive only after the tables have this version (docs/deploy.md) and the heartbeat has started. */
async function requireMigrations(): Promise<void> {
  const missing = await missingMigrations((shipped ??= migrationNames(process.cwd())));
  if (missing.length > 0) throw new Error(`The database lacks ${missing.join(", ")}: npm run migrate.`);
  await liveInstance();
}

/** This version's migrations. Read once: a later version may replace the files while this process runs. */
let shipped: readonly string[] | null = null;

async function succeeds(check: () => PromiseLike<unknown>): Promise<boolean> {
  try {
    await check();
    return true;
  } catch (error) {
    log.warn({ err: error }, "Not ready.");
    return false;
  }
}
