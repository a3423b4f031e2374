import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { answering, startChild } from "./child.mjs";

// The gateway (agents; bin/server.ts) and the app (people; `next start`), each a process of its own: docs/decisions/0038-two-processes.md.

/** @typedef {import("./child.mjs").Program} Program */
/** @typedef {import("./child.mjs").Child} Child */

/** Milliseconds between the end of a process and its next start; twice as many after each that did not last. */
const AGAIN_MS = { first: 250, most: 30_000 };
/** A process that ran for this long lasted. */
const LASTING_MS = 30_000;
/** Behind the gateway the app's connections outlive the gateway's, so that no request meets one that is being closed. */
const APP_KEEP_ALIVE_MS = 65_000;
/** Milliseconds that the app has for its first answer: in development it compiles before. */
const APP_START_MS = 180_000;
/** Milliseconds that the app has for ending after the gateway, which has waited for its last answers. */
const APP_GRACE_MS = 8_000;
/** The app's priority on Linux: agents first. */
const APP_NICE = 5;
/** Megabytes of the app's young objects: with Node's own 16 it keeps 50 MB more at rest, for a speed that pages do not need. */
const APP_FLAGS = ["--max-semi-space-size=4"];
/** The header in which the gateway sends the secret (lib/http/gateway-secret.ts). */
const SECRET_HEADER = "x-gateway-secret";

/**
 * @typedef {object} Supervised
 * @property {() => { gateway: number, app: number }} pids
 * @property {Promise<string>} stopped Resolves when both have ended because somebody asked.
 * @property {() => Promise<void>} stop The gateway first: it lets requests in flight finish.
 */

/**
 * Starts both and keeps them running. Resolves when both answer; a process that ends before its first answer ends the start.
 *
 * @param {{ gateway: (env: { GATEWAY_SECRET?: undefined }) => Program, app: (port: number, env: Record<string, string>) => Program, health: string, nice?: number }} programs
 * @returns {Promise<Supervised>}
 */
export async function supervise({ gateway: gatewayProgram, app: appProgram, health, nice = APP_NICE }) {
  const secret = randomBytes(32).toString("base64url");
  /** What the gateway must know of the app. @type {{ app: { port: number, secret: string } | null }} */
  let known = { app: null };
  /** @param {{ port: number, secret: string } | null} app */
  const tell = (app) => {
    known = { app };
    gateway.current()?.send(known);
  };
  const gateway = keep("gateway", async () => {
    // The secret is the app's switch: the gateway hears it with the app's port, and has it in no environment.
    const child = startChild(gatewayProgram({ GATEWAY_SECRET: undefined }));
    child.send(known);
    return { child, answers: answering(child, health).then(() => child.show()) };
  });
  const app = keep("app", async () => {
    const port = await freePort();
    const child = startChild({
      ...appProgram(port, {
        GATEWAY_SECRET: secret,
        HOSTNAME: "127.0.0.1",
        PORT: String(port),
        KEEP_ALIVE_TIMEOUT: String(APP_KEEP_ALIVE_MS),
        // The app ends by itself once what it counted is written (lib/server/background.ts).
        NEXT_MANUAL_SIG_HANDLE: "1",
      }),
      nice,
      flags: APP_FLAGS,
      onlyLogLines: true,
    });
    void child.stopped.then(() => tell(null));
    const ours = {
      headers: { [SECRET_HEADER]: secret },
      accept: (/** @type {number} */ status) => status === 200,
      withinMs: APP_START_MS,
    };
    const show = async () => {
      await answering(child, `http://127.0.0.1:${port}/api/health`, ours);
      child.show();
      tell({ port, secret });
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
 * Keeps a process running from its first answer on.
 *
 * @param {string} name
 * @param {() => Promise<{ child: Child, answers: Promise<void> }>} start
 */
function keep(name, start) {
  /** @type {Child | null} */
  let current = null;
  let stopping = false;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  let waitMs = AGAIN_MS.first;
  let end = () => {};
  const stopped = /** @type {Promise<void>} */ (new Promise((resolve) => (end = resolve)));

  const run = async () => {
    const startedAt = Date.now();
    const { child, answers } = await start();
    current = child;
    if (stopping) await child.stop(0);
    const again = (/** @type {string} */ how) => {
      current = null;
      if (stopping || !answered) return;
      waitMs = Date.now() - startedAt > LASTING_MS ? AGAIN_MS.first : waitMs;
      process.stderr.write(`The ${name} ended (${how}); it starts again in ${waitMs} ms.\n`);
      timer = setTimeout(() => void run().catch(() => current?.stop()), waitMs);
      waitMs = Math.min(waitMs * 2, AGAIN_MS.most);
    };
    void child.stopped.then(again);
    await answers;
  };
  let answered = false;
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
