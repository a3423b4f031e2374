import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { answering, startChild } from "./child.mjs";
import { supervise } from "./supervise.mjs";

/**
 * @typedef {object} RunningServer
 * @property {number} pid Of the process that serves agents, where one does.
 * @property {() => { gateway: number, app: number }} pids Of both processes as they are now; 0 = there is none.
 * @property {Promise<string>} stopped Resolves with how it ended, wanted or not.
 * @property {() => Promise<void>} stop Lets calls in flight finish, for 30 s at most.
 */

const NEXT = "node_modules/next/dist/bin/next";
const GATEWAY = "dist/server.mjs";

/** Milliseconds that a server which answers has to get ready in: as long as it waits itself for its first configuration. */
const READY_MS = 15_000;

/**
 * What can serve, and its programs with their first arguments: gateway and app as `npm start` has them, the same as it is
 * packed, the gateway alone, gateway and app in development, Next alone.
 *
 * @type {Readonly<Record<"server" | "packed" | "gateway" | "dev" | "next", readonly (readonly string[])[]>>}
 */
const DOORS = {
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
 * Starts what was built and waits until it answers; and a while until it is ready, so that on a busy machine the first who
 * ask are not told to come again.
 *
 * @param {{ root: string, folder?: string, door?: keyof typeof DOORS, host: string, port: number, env: Record<string, string>, quiet?: boolean, nice?: number }} options `folder`: where the app is, unless it is ours; `nice`: the app's priority, unless agents go first
 * @returns {Promise<RunningServer>}
 */
export async function serve({ root, folder = root, door = "server", host, port, env, quiet = false, nice }) {
  const [first = [], second] = DOORS[door];
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
    // On a person's terminal the log must not bury the address and the password; LOG_LEVEL says otherwise.
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
      ? await single(program(first, host, port), health)
      : await supervise({
          gateway: (more) => program(first, host, port, more),
          app: (at, more) => program(second, "127.0.0.1", at, more),
          health,
          ...(nice !== undefined && { nice }),
        });
  await settling(`${origin}/api/ready`, server.stopped);
  return { ...server, pid: server.pids().gateway };
}

/** @param {import("./child.mjs").Program} program @param {string} health */
async function single(program, health) {
  const child = startChild(program);
  await answering(child, health);
  child.show();
  return { pids: () => ({ gateway: child.pid, app: 0 }), stopped: child.stopped, stop: () => child.stop() };
}

/**
 * A server that is not ready by then serves all the same: it says 503 until its store is there.
 *
 * @param {string} url
 * @param {Promise<string>} stopped
 */
async function settling(url, stopped) {
  const patience = { left: true };
  void stopped.then(() => (patience.left = false));
  const end = Date.now() + READY_MS;
  while (Date.now() < end && patience.left) {
    const status = await fetch(url).then(
      (response) => response.arrayBuffer().then(() => response.status),
      () => 503,
    );
    // Another app than ours, which a measurement may start, knows no such address.
    if (status !== 503) return;
    await delay(100);
  }
}
