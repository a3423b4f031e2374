import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "@/bin/boot/run.mjs";
import { serve } from "@/bin/boot/serve.mjs";
import { freePort } from "@/test/support/servers/free-port";
import { findPrepared } from "@/e2e/support/server";
import { copyTemplate, dropDatabase, startThrowawayServer } from "@/test/support/servers/throwaway-server";

/** An installation for one journey alone. */
export interface OwnServer {
  readonly baseUrl: string;
  readonly adminEmail: string;
  readonly adminPassword: string;
  /** The API key of a demo agent, if the demo is loaded. */
  readonly apiKey?: string;
  /** Its environment. A process with the same one reads its database and creates sessions that it accepts. */
  readonly env: Readonly<Record<string, string>>;
  /** The ids of its two present processes. */
  readonly pids: () => { readonly gateway: number; readonly app: number };
  readonly stop: () => Promise<void>;
}

/**
 * Serves the run's build with its own database and port. `--empty` loads no demo. `packed`: the folder of a package to
 * serve instead. `further`: more variables of its environment.
 */
export async function startOwnServer(
  setup: readonly "--empty"[],
  packed?: string,
  further: Readonly<Record<string, string>> = {},
): Promise<OwnServer> {
  const root = packed ?? process.cwd();
  const port = await freePort();
  const dataDir = mkdtempSync(join(tmpdir(), "quartermaster-e2e-own-"));
  const database = await openDatabase(`e2e_own_${process.pid}`);
  const baseUrl = `http://127.0.0.1:${port}`;
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    NEXTAUTH_URL: baseUrl,
    NEXTAUTH_SECRET: "browser-test-secret-that-is-long-enough",
    MASTER_KEY: Buffer.alloc(32, 9).toString("base64"),
    LOG_LEVEL: "error",
    NEXT_TELEMETRY_DISABLED: "1",
    ...further,
  };
  const output = await run(process.execPath, [join(root, "dist/setup.mjs"), "--json", ...setup], { cwd: root, env });
  const made = JSON.parse(output.trim().split("\n").at(-1) ?? "") as Pick<
    OwnServer,
    "adminEmail" | "adminPassword" | "apiKey"
  >;
  const server = await serve({
    root,
    mode: packed === undefined ? "server" : "packed",
    host: "127.0.0.1",
    port,
    env,
    nice: 0,
  });
  return {
    ...made,
    baseUrl,
    env,
    pids: server.pids,
    stop: async () => {
      await server.stop();
      await database.remove();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Creates an empty database with all tables. A run of Playwright shares one Postgres; anybody else starts one here. */
async function openDatabase(name: string): Promise<{ readonly url: string; readonly remove: () => Promise<void> }> {
  const prepared = findPrepared();
  if (prepared !== null) {
    const { postgresUrl, empty } = prepared;
    const url = await copyTemplate(postgresUrl, empty, name);
    return { url, remove: () => dropDatabase(postgresUrl, name) };
  }
  const postgres = await startThrowawayServer();
  return { url: await copyTemplate(postgres.url, postgres.template, name), remove: () => postgres.stop() };
}
