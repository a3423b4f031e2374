import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { buildPrograms } from "@/bin/boot/build.mjs";
import { run } from "@/bin/boot/run.mjs";
import { serve } from "@/bin/boot/serve.mjs";
import { freePort } from "@/test/support/servers/free-port";

const root = process.cwd();
/** Inside the root, because the bundler takes packages from no folder above it. */
const WORK = join(root, ".data");
const SOURCES = ["lib", "components", "proxy.ts", "instrumentation.ts", "postcss.config.mjs", "tsconfig.json"];

/** Additional routes of a measured app, by their path below `app`. */
export type Routes = Readonly<Record<string, string>>;

/** The processes that serve an app: gateway and app, the gateway alone, Next alone. */
export type ServeMode = "server" | "gateway" | "next";

/** A running server on a free port. */
export interface MeasuredServer {
  readonly url: string;
  /** The pid of the process that serves agents. */
  readonly pid: number;
  readonly pids: () => { readonly gateway: number; readonly app: number };
  readonly stop: () => Promise<void>;
}

export interface MeasuredApp {
  readonly serve: (mode: ServeMode) => Promise<MeasuredServer>;
  readonly remove: () => void;
}

/**
 * Builds an app in a separate folder: with our sources, or bare without them, plus the given routes. So the normal build
 * contains nothing that exists for measurements only.
 */
export async function measuredApp(
  kind: "ours" | "bare",
  routes: Routes,
  env: Readonly<Record<string, string>>,
): Promise<MeasuredApp> {
  mkdirSync(WORK, { recursive: true });
  const folder = mkdtempSync(join(WORK, `bench-${kind}-`));
  for (const name of kind === "ours" ? ["app", ...SOURCES] : ["tsconfig.json"])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  // Without these files, Next would find ours in a folder above.
  if (kind === "bare") {
    writeFileSync(join(folder, "instrumentation.ts"), "export function register(): void {}\n");
    writeFileSync(
      join(folder, "proxy.ts"),
      'export function proxy(): void {}\nexport const config = { matcher: "/never" };\n',
    );
  }
  for (const [path, text] of Object.entries(routes)) {
    mkdirSync(join(folder, "app", path), { recursive: true });
    writeFileSync(join(folder, "app", path, "route.ts"), text);
  }
  writeFileSync(
    join(folder, "next.config.mjs"),
    `import config from "../../next.config.mjs";\nexport default ${kind === "ours" ? "config" : "{ typescript: config.typescript, turbopack: config.turbopack }"};\n`,
  );
  writeFileSync(join(folder, "package.json"), `{ "type": "module" }\n`);
  await buildPrograms(root);
  await run(process.execPath, [join(root, "node_modules/next/dist/bin/next"), "build"], {
    cwd: folder,
    env: { ...env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
  });
  // The server looks for its bundled programs (readers, schema checks) and its migrations in its working directory.
  for (const name of ["dist", "prisma"]) symlinkSync(join(root, name), join(folder, name));
  return {
    serve: async (mode) => {
      const server = await started(folder, mode, env);
      if (kind === "ours") await untilReady(server.url);
      return server;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Starts the gateway alone, which needs no build of Next. */
export async function measuredGateway(env: Readonly<Record<string, string>>): Promise<MeasuredServer> {
  await buildPrograms(root);
  const server = await started(root, "gateway", env);
  await untilReady(server.url);
  return server;
}

async function started(
  folder: string,
  mode: ServeMode,
  env: Readonly<Record<string, string>>,
): Promise<MeasuredServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const own = { NEXTAUTH_URL: url, ...env };
  const { pid, pids, stop } = await serve({ root, folder, mode, host: "127.0.0.1", port, env: own, quiet: true });
  return { url, pid, pids, stop };
}

/** Megabytes of resident memory of a process, from Linux. */
export function residentMemory(pid: number): number {
  return megabytes(pid, "VmRSS");
}

/** Megabytes of all processes of a server; shared memory counts once. */
export function wholeMemory({ pids }: Pick<MeasuredServer, "pids">): number {
  const shares = Object.values(pids()).map((pid) =>
    pid === 0 ? 0 : kilobytes(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"), "Pss") / 1024,
  );
  return shares.reduce((sum, share) => sum + share, 0);
}

/** The peak resident memory of a process in megabytes since its start or the last `forgetPeak`. */
export function peakMemory(pid: number): number {
  return megabytes(pid, "VmHWM");
}

/** Resets the peak of a process. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

function megabytes(pid: number, field: string): number {
  return kilobytes(readFileSync(`/proc/${pid}/status`, "utf8"), field) / 1024;
}

function kilobytes(status: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1]);
}

/** Waits for readiness, because a server answers before it has read the configuration. */
async function untilReady(url: string): Promise<void> {
  for (let look = 0; look < 300; look += 1) {
    if (await fetch(`${url}/api/ready`).then(({ ok }) => ok)) return;
    await delay(200);
  }
  throw new Error("The server does not get ready.");
}
