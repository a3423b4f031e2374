import { fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { setTimeout as delay } from "node:timers/promises";

/**
 * @typedef {object} Program
 * @property {string} file
 * @property {readonly string[]} args
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} env The whole environment.
 * @property {boolean} [quiet] Shows none of its output.
 * @property {boolean} [onlyLogLines] Shows of its output before it answers only the lines of its log.
 * @property {readonly string[]} [flags] For Node.
 * @property {number} [nice] Its priority on Linux: higher gives others the processor first.
 */

/**
 * @typedef {object} Child
 * @property {number} pid
 * @property {Promise<string>} stopped Resolves with how it ended, wanted or not.
 * @property {(message: object) => void} send
 * @property {() => void} show Passes its output on from now on.
 * @property {() => string} said The end of what it printed before.
 * @property {(graceMs?: number) => Promise<void>} stop Asks it to end, and kills it after that time.
 */

/** Milliseconds that a program has for ending by itself. */
const GRACE_MS = 30_000;

/** Starts a program that ends when this process does. @param {Program} program @returns {Child} */
export function startChild({ file, args, cwd, env, quiet = false, onlyLogLines = false, flags = [], nice = 0 }) {
  const child = fork(file, [...args], {
    cwd,
    env,
    execArgv: [...flags, "--import", new URL("./follow-parent.mjs", import.meta.url).href],
    // A process group of its own: Ctrl-C reaches the one who started it, who then stops it in order.
    detached: true,
    stdio: ["ignore", "pipe", quiet ? "pipe" : "inherit", "ipc"],
  });
  if (nice > 0 && child.pid !== undefined) lowerPriority(child.pid, nice);
  // A message to a process that has just ended is lost, which its end says better.
  child.on("error", () => {});
  let said = "";
  const keep = (/** @type {unknown} */ text) => (said = (said + String(text)).slice(-8000));
  child.stderr?.on("data", keep);
  let shown = false;
  child.stdout?.on("data", (text) => (shown && !quiet ? process.stdout.write(text) : keep(text)));
  /** @type {Promise<string>} */
  const stopped = new Promise((done) => child.once("exit", (code, signal) => done(`${signal ?? `status ${code}`}`)));
  return {
    pid: child.pid ?? 0,
    stopped,
    send: (message) => void (child.connected && child.send(message, () => {})),
    show: () => {
      if (!shown && !quiet && onlyLogLines) process.stdout.write(said.replaceAll(/^(?!\{).*\n?/gm, ""));
      shown = true;
    },
    said: () => said.trim(),
    stop: async (graceMs = GRACE_MS) => {
      child.kill("SIGTERM");
      const patience = new AbortController();
      await Promise.race([stopped, delay(graceMs, undefined, { signal: patience.signal }).catch(() => {})]);
      patience.abort();
      child.kill("SIGKILL");
      await stopped;
    },
  };
}

/**
 * Waits until a child answers at an address with what `accept` takes.
 *
 * @param {Child} child
 * @param {string} url
 * @param {{ headers?: Record<string, string>, accept?: (status: number) => boolean, withinMs?: number }} [options]
 */
export async function answering(child, url, { headers = {}, accept = () => true, withinMs = 60_000 } = {}) {
  let end = "";
  void child.stopped.then((how) => (end = how));
  const until = Date.now() + withinMs;
  while (Date.now() < until) {
    if (end !== "") throw new Error(`The server ended (${end}).\n${child.said()}`);
    const status = await fetch(url, { headers, redirect: "manual" }).then(
      (response) => response.arrayBuffer().then(() => response.status),
      () => 0,
    );
    if (status !== 0 && accept(status)) return;
    await delay(100);
  }
  throw new Error(`The server does not answer on ${url}.\n${child.said()}`);
}

/**
 * Right after the start, so that its threads inherit it. A system that groups processes by session weighs
 * the group, not the process: it is told too.
 *
 * @param {number} pid
 * @param {number} nice
 */
function lowerPriority(pid, nice) {
  if (process.platform !== "linux") return;
  for (const lower of [() => setPriority(pid, nice), () => writeFileSync(`/proc/${pid}/autogroup`, String(nice))])
    try {
      lower();
    } catch {
      // Another priority changes no answer.
    }
}
