import { fork } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/**
 * @typedef {object} RunningServer
 * @property {number} pid
 * @property {Promise<string>} stopped Resolves with how it ended, wanted or not.
 * @property {() => Promise<void>} stop Lets calls in flight finish, for 30 s at most.
 */

const NEXT = "node_modules/next/dist/bin/next";

/** Milliseconds that a server which answers has to get ready in: as long as it waits itself for its first configuration. */
const READY_MS = 15_000;
/** What can serve, and its first arguments: our server, the same as it is packed, our server without Next, Next alone. */
const DOORS = {
  server: ["dist/server.mjs"],
  packed: ["server.js"],
  gateway: ["dist/server.mjs", "--gateway"],
  dev: [NEXT, "dev"],
  next: [NEXT, "start"],
};

/**
 * Starts what was built and waits until it answers; and a while until it is ready, so that on a busy machine the first who
 * ask are not told to come again.
 *
 * @param {{ root: string, folder?: string, door?: keyof typeof DOORS, host: string, port: number, env: Record<string, string>, quiet?: boolean }} options `folder`: where the app is, unless it is ours
 * @returns {Promise<RunningServer>}
 */
export async function serve({ root, folder = root, door = "server", host, port, env, quiet = false }) {
  const [program = "", ...first] = DOORS[door];
  const child = fork(join(root, program), [...first, "--hostname", host, "--port", String(port)], {
    cwd: folder,
    // On a person's terminal the log must not bury the address and the password; LOG_LEVEL says otherwise.
    env: { LOG_LEVEL: "warn", ...process.env, ...env, NODE_ENV: door === "dev" ? "development" : "production" },
    execArgv: ["--import", new URL("./follow-parent.mjs", import.meta.url).href],
    // A process group of its own: Ctrl-C reaches the one who started it, who then stops it in order.
    detached: true,
    stdio: ["ignore", "pipe", quiet ? "pipe" : "inherit", "ipc"],
  });
  let said = "";
  const keep = (/** @type {unknown} */ text) => (said = (said + String(text)).slice(-8000));
  child.stderr?.on("data", keep);
  // Next's own banner would hide the lines that a newcomer needs; its log comes after it.
  let ready = false;
  child.stdout?.on("data", (text) => (ready && !quiet ? process.stdout.write(text) : keep(text)));
  const stopped = new Promise((done) => child.once("exit", (code, signal) => done(`${signal ?? `status ${code}`}`)));
  const origin = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  await answering(`${origin}/api/health`, stopped, () => said);
  await settling(`${origin}/api/ready`, child);
  ready = true;
  return {
    pid: child.pid ?? 0,
    stopped,
    stop: async () => {
      child.kill("SIGTERM");
      const patience = new AbortController();
      await Promise.race([stopped, delay(30_000, undefined, { signal: patience.signal }).catch(() => {})]);
      patience.abort();
      child.kill("SIGKILL");
      await stopped;
    },
  };
}

/**
 * A server that is not ready by then serves all the same: it says 503 until its store is there.
 *
 * @param {string} url
 * @param {import("node:child_process").ChildProcess} child
 */
async function settling(url, child) {
  const end = Date.now() + READY_MS;
  while (Date.now() < end && child.exitCode === null && child.signalCode === null) {
    const status = await fetch(url).then(
      (response) => response.arrayBuffer().then(() => response.status),
      () => 503,
    );
    // Another app than ours, which a measurement may start, knows no such address.
    if (status !== 503) return;
    await delay(100);
  }
}

/** @param {string} url @param {Promise<string>} stopped @param {() => string} said */
async function answering(url, stopped, said) {
  let end = "";
  void stopped.then((how) => (end = how));
  for (let waited = 0; waited < 600; waited++) {
    if (end !== "") throw new Error(`The server ended (${end}).\n${said().trim()}`);
    const answers = await fetch(url).then(
      (response) => response.arrayBuffer().then(() => true),
      () => false,
    );
    if (answers) return;
    await delay(100);
  }
  throw new Error(`The server does not answer on ${url}.\n${said().trim()}`);
}
