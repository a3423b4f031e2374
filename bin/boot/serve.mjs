import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { waitUntilAnswers, POLL_MS, startChild } from "./child.mjs";
import { GATEWAY_FLAGS, supervise } from "./supervise.mjs";

/**
 * @typedef {object} RunningServer
 * @property {number} pid Of the gateway, where there is one.
 * @property {() => { gateway: number, app: number }} pids Of the two present processes; 0 when one does not run.
 * @property {Promise<string>} stopped Resolves with the exit status or signal, whether or not the stop was requested.
 * @property {() => Promise<void>} stop Lets calls in flight finish, for 30 s at most.
 */

const NEXT = "node_modules/next/dist/bin/next";
const GATEWAY = "dist/server.mjs";

/** Milliseconds that a server which answers has to become ready: as long as it waits for its first configuration. */
const READY_MS = 15_000;

/**
 * Ways to serve, each with its programs and their first arguments: `server` is gateway and app as in `npm start`, `packed`
 * the same from a package, `gateway` the gateway alone, `dev` both in development, `next` Next alone.
 *
 * @type {Readonly<Record<"server" | "packed" | "gateway" | "dev" | "next", readonly (readonly string[])[]>>}
 */
const PROGRAMS = {
  server: [[GATEWAY], [NEXT, "start", "--keepAliveTimeout", "65000"]],
  packed: [["server.js"]],
  gateway: [[GATEWAY, "--gateway"]],
  dev: [
    [GATEWAY, "--upgrades"],
    [NEXT, "dev"],
  ],
  next: [[NEXT, "start"]],
};

/**
 * Starts a built server and waits until it answers. Then waits up to `READY_MS` until it is ready, so that the first
 * requests on a busy machine get no 503.
 *
 * @param {{ root: string, folder?: string, mode?: keyof typeof PROGRAMS, host: string, port: number, env: Record<string, string>, quiet?: boolean, nice?: number }} options `folder`: where the app is, unless it is ours; `nice`: the app's priority, unless agents go first
 * @returns {Promise<RunningServer>}
 */
export async function serve({ root, folder = root, mode = "server", host, port, env, quiet = false, nice }) {
  const [first = [], second] = PROGRAMS[mode];
  const origin = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const health = `${origin}/api/health`;
  /** @returns {import("./child.mjs").Program} */
  const program = (
    /** @type {readonly string[]} */ [file = "", ...args],
    /** @type {string} */ hostname,
    /** @type {number} */ at,
    more = {},
  ) => ({
    file: join(root, file),
    args: [...args, "--hostname", hostname, "--port", String(at)],
    cwd: folder,
    // The log must not bury the address and the password on a person's terminal; LOG_LEVEL overrides this.
    env: {
      LOG_LEVEL: "warn",
      ...process.env,
      ...env,
      NODE_ENV: args.includes("dev") ? "development" : "production",
      ...more,
    },
    quiet,
  });
  const server =
    second === undefined
      ? await startSingle({ ...program(first, host, port), flags: mode === "gateway" ? GATEWAY_FLAGS : [] }, health)
      : await supervise({
          gateway: (more) => program(first, host, port, more),
          app: (at, more) => program(second, "127.0.0.1", at, more),
          health,
          ...(nice !== undefined && { nice }),
        });
  await waitUntilReady(`${origin}/api/ready`, server.stopped);
  return { ...server, pid: server.pids().gateway };
}

/** @param {import("./child.mjs").Program} program @param {string} health */
async function startSingle(program, health) {
  const child = startChild(program);
  await waitUntilAnswers(child, health);
  child.show();
  return { pids: () => ({ gateway: child.pid, app: 0 }), stopped: child.stopped, stop: () => child.stop() };
}

/**
 * Waits a while for readiness. A server that is not ready by then runs on and answers 503 until its store is there.
 *
 * @param {string} url
 * @param {Promise<string>} stopped
 */
async function waitUntilReady(url, stopped) {
  const server = { runs: true };
  void stopped.then(() => (server.runs = false));
  const end = Date.now() + READY_MS;
  while (Date.now() < end && server.runs) {
    const status = await fetch(url).then(
      (response) => response.arrayBuffer().then(() => response.status),
      () => 503,
    );
    // A measured app other than ours may lack this address.
    if (status !== 503) return;
    await delay(POLL_MS);
  }
}
