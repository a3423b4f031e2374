import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { waitUntilAnswers, startChild } from "./child.mjs";

// Runs the gateway (bin/server.ts, for agents) and the app (`next start`, for people) as two processes:
// docs/decisions/0038-two-processes.md.

/** @typedef {import("./child.mjs").Program} Program */
/** @typedef {import("./child.mjs").Child} Child */

/** Milliseconds between the end of a process and its next start; doubled after each run shorter than `LASTING_MS`. */
const BACKOFF_MS = { first: 250, max: 30_000 };
/** Milliseconds after which a run counts as lasting. */
const LASTING_MS = 30_000;
/** The app keeps idle connections longer than the gateway, so that no request meets a closing connection. */
const APP_KEEP_ALIVE_MS = 65_000;
/** Milliseconds that the app has for its first answer: in development it compiles first. */
const APP_START_MS = 180_000;
/** Milliseconds that the app has to end after the gateway, which has waited for the app's last answers. */
const APP_GRACE_MS = 8_000;
/** The app's priority on Linux: agents first. */
export const APP_NICE = 5;
/** A small young generation, in megabytes: Node's default of 16 keeps 50 MB more at rest for speed that pages do not need. */
const APP_FLAGS = ["--max-semi-space-size=4"];
/** A large young generation, in megabytes: fewer collections during calls for about 33 MB more memory under load. */
export const GATEWAY_FLAGS = ["--max-semi-space-size=32"];
/** The header in which the gateway sends the secret (lib/http/gateway-secret.ts). */
const SECRET_HEADER = "x-gateway-secret";

/**
 * @typedef {object} Supervised
 * @property {() => { gateway: number, app: number }} pids
 * @property {Promise<string>} stopped Resolves when both have ended after a requested stop.
 * @property {() => Promise<void>} stop Stops the gateway first: it lets requests in flight finish.
 */

/**
 * Starts both and keeps them running. Resolves when both answer; rejects when one ends before its first answer.
 *
 * @param {{ gateway: (env: { GATEWAY_SECRET?: undefined }) => Program, app: (port: number, env: Record<string, string>) => Program, health: string, nice?: number }} programs
 * @returns {Promise<Supervised>}
 */
export async function supervise({ gateway: gatewayProgram, app: appProgram, health, nice = APP_NICE }) {
  const secret = randomBytes(32).toString("base64url");
  /** The present address and secret of the app. @type {{ app: { port: number, secret: string } | null }} */
  let known = { app: null };
  /** @param {{ port: number, secret: string } | null} app */
  const sendApp = (app) => {
    known = { app };
    gateway.current()?.send(known);
  };
  const gateway = keep("gateway", async () => {
    // The gateway gets the secret in a message, with the app's port. In its environment the secret would make it behave as the app.
    const child = startChild({ ...gatewayProgram({ GATEWAY_SECRET: undefined }), flags: GATEWAY_FLAGS });
    child.send(known);
    return { child, answers: waitUntilAnswers(child, health).then(() => child.show()) };
  });
  const app = keep("app", async () => {
    const port = await freePort();
    const child = startChild({
      ...appProgram(port, {
        GATEWAY_SECRET: secret,
        HOSTNAME: "127.0.0.1",
        PORT: String(port),
        KEEP_ALIVE_TIMEOUT: String(APP_KEEP_ALIVE_MS),
        // Turns off Next's signal handler: the app ends after it has written its last metrics (lib/server/background.ts).
        NEXT_MANUAL_SIG_HANDLE: "1",
      }),
      nice,
      flags: APP_FLAGS,
      onlyLogLines: true,
    });
    void child.stopped.then(() => sendApp(null));
    const ours = {
      headers: { [SECRET_HEADER]: secret },
      accept: (/** @type {number} */ status) => status === 200,
      withinMs: APP_START_MS,
    };
    const show = async () => {
      await waitUntilAnswers(child, `http://127.0.0.1:${port}/api/health`, ours);
      child.show();
      sendApp({ port, secret });
    };
    return { child, answers: show() };
  });
  const stop = async () => {
    await gateway.stop();
    await app.stop(APP_GRACE_MS);
  };
  try {
    await Promise.all([gateway.first, app.first]);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    pids: () => ({ gateway: gateway.current()?.pid ?? 0, app: app.current()?.pid ?? 0 }),
    stopped: Promise.all([gateway.stopped, app.stopped]).then(() => "stopped"),
    stop,
  };
}

/**
 * Restarts a process whenever it ends after its first answer, and tries again when it could not be started.
 *
 * @param {string} name
 * @param {() => Promise<{ child: Child, answers: Promise<void> }>} start
 */
function keep(name, start) {
  /** @type {Child | null} */
  let current = null;
  let stopping = false;
  let answered = false;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  let waitMs = BACKOFF_MS.first;
  let end = () => {};
  const stopped = /** @type {Promise<void>} */ (new Promise((resolve) => (end = resolve)));

  const run = async () => {
    const startedAt = Date.now();
    const restart = (/** @type {string} */ how) => {
      current = null;
      if (stopping || !answered) return;
      waitMs = Date.now() - startedAt > LASTING_MS ? BACKOFF_MS.first : waitMs;
      process.stderr.write(`The ${name} ended (${how}); restarting in ${waitMs} ms.\n`);
      timer = setTimeout(() => void run().catch(() => current?.stop()), waitMs);
      waitMs = Math.min(waitMs * 2, BACKOFF_MS.max);
    };
    const started = await start().catch((/** @type {Error} */ error) => {
      restart(error.message);
      throw error;
    });
    const { child, answers } = started;
    current = child;
    if (stopping) await child.stop(0);
    void child.stopped.then(restart);
    await answers;
  };
  const first = run().then(() => void (answered = true));
  return {
    first,
    stopped,
    current: () => current,
    /** @param {number} [graceMs] */
    stop: async (graceMs) => {
      stopping = true;
      clearTimeout(timer);
      await current?.stop(graceMs);
      end();
    },
  };
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  await once(server, "close");
  return port;
}
