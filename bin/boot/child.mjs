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
 * @property {boolean} [quiet] Discards all output.
 * @property {boolean} [onlyLogLines] Until the program answers, only log lines of its output are shown.
 * @property {readonly string[]} [flags] For Node.
 * @property {number} [nice] The priority on Linux; a higher number yields the processor to others.
 */

/**
 * @typedef {object} Child
 * @property {number} pid
 * @property {Promise<string>} stopped Resolves with the exit status or signal, whether or not the stop was requested.
 * @property {(message: object) => void} send
 * @property {() => void} show Shows all further output.
 * @property {() => string} output The last output from before `show`.
 * @property {(graceMs?: number) => Promise<void>} stop Requests the end, and kills the program after `graceMs`.
 */

/** Milliseconds that a program has to end before it is killed: more than the gateway waits for its calls (`DRAIN_MS`). */
export const GRACE_MS = 35_000;
/** Milliseconds between two requests to a program that does not answer yet. */
export const POLL_MS = 25;

/** Starts a program that ends when this process does. @param {Program} program @returns {Child} */
export function startChild({ file, args, cwd, env, quiet = false, onlyLogLines = false, flags = [], nice = 0 }) {
  const child = fork(file, [...args], {
    cwd,
    env,
    execArgv: [...flags, "--import", new URL("./follow-parent.mjs", import.meta.url).href],
    // In a separate process group, so that Ctrl-C reaches only the parent, which then stops its children in order.
    detached: true,
    stdio: ["ignore", "pipe", quiet ? "pipe" : "inherit", "ipc"],
  });
  if (nice > 0 && child.pid !== undefined) lowerPriority(child.pid, nice);
  let output = "";
  const keep = (/** @type {unknown} */ text) => (output = (output + String(text)).slice(-8000));
  child.stderr?.on("data", keep);
  let shown = false;
  child.stdout?.on("data", (text) => (shown && !quiet ? process.stdout.write(text) : keep(text)));
  /** @type {Promise<string>} */
  const stopped = new Promise((done) => {
    child.once("exit", (code, signal) => done(`${signal ?? `status ${code}`}`));
    // A program that did not start has no `exit`. A message to one that has just ended is lost, and `exit` follows.
    child.on("error", (error) => child.pid === undefined && done(error.message));
  });
  return {
    pid: child.pid ?? 0,
    stopped,
    send: (message) => void (child.connected && child.send(message, () => {})),
    show: () => {
      if (!shown && !quiet && onlyLogLines) process.stdout.write(output.replaceAll(/^(?!\{).*\n?/gm, ""));
      shown = true;
    },
    output: () => output.trim(),
    stop: async (graceMs = GRACE_MS) => {
      child.kill("SIGTERM");
      const grace = new AbortController();
      await Promise.race([stopped, delay(graceMs, undefined, { signal: grace.signal }).catch(() => {})]);
      grace.abort();
      child.kill("SIGKILL");
      await stopped;
    },
  };
}

/**
 * Waits until a child answers at an address and `accept` takes the status.
 *
 * @param {Child} child
 * @param {string} url
 * @param {{ headers?: Record<string, string>, accept?: (status: number) => boolean, withinMs?: number }} [options]
 */
export async function waitUntilAnswers(child, url, { headers = {}, accept = () => true, withinMs = 60_000 } = {}) {
  let end = "";
  void child.stopped.then((how) => (end = how));
  // Also ends a request that the program accepts and never answers.
  const deadline = AbortSignal.timeout(withinMs);
  while (!deadline.aborted) {
    if (end !== "") throw new Error(`The server ended (${end}).\n${child.output()}`);
    const status = await fetch(url, { headers, redirect: "manual", signal: deadline })
      .then((response) => response.arrayBuffer().then(() => response.status))
      .catch(() => 0);
    if (status !== 0 && accept(status)) return;
    await delay(POLL_MS);
  }
  throw new Error(`The server does not respond at ${url}.\n${child.output()}`);
}

/**
 * Lowers the priority right after the start, so that the program's threads inherit it. A kernel that schedules processes
 * by session (autogroup) weighs the session's priority only, so that is set too.
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
      // A failure costs speed only.
    }
}
