import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyTemplate, startThrowawayServer, type ThrowawayServer } from "@/test/support/servers/throwaway-server";

/** An empty, migrated database, and the environment of a process that uses it. */
export interface MeasuredDatabase {
  readonly env: Readonly<Record<string, string>>;
  /** Closes this process's connections, and ends the server. */
  readonly stop: () => Promise<void>;
}

/** Starts a database and sets this process's environment to it; import lib/env.ts only afterwards. */
export async function measuredDatabase(more: Readonly<Record<string, string>> = {}): Promise<MeasuredDatabase> {
  const postgres = await startThrowawayServer({ durable: true });
  const own = await measuredEnvironment(postgres, `bench_${process.pid}`);
  const env = { ...own, ...more };
  Object.assign(process.env, env);
  return {
    env,
    stop: async () => {
      const { closeDatabase } = await import("@/lib/store/db/database");
      const { closeSnapshot } = await import("@/lib/store/snapshot/snapshot");
      closeSnapshot();
      await closeDatabase();
      await postgres.stop();
      rmSync(own.DATA_DIR, { recursive: true, force: true });
    },
  };
}

/** Creates a database on a server; answers the environment of a process that uses it. */
export async function measuredEnvironment(
  { url, template }: ThrowawayServer,
  name: string,
): Promise<{ readonly DATABASE_URL: string; readonly DATA_DIR: string; readonly [variable: string]: string }> {
  return {
    DATABASE_URL: await copyTemplate(url, template, name),
    DATA_DIR: mkdtempSync(join(tmpdir(), "quartermaster-bench-")),
    NEXTAUTH_SECRET: "a secret of the bench that is long enough",
    MASTER_KEY: Buffer.alloc(32, 9).toString("base64"),
    LOG_LEVEL: "error",
    // The bench measures the pipeline, not the limit per caller.
    CALLS_PER_CALLER: "10000",
  };
}
