import { spawn } from "node:child_process";

/** A command that failed, with its output. */
export class CommandError extends Error {
  /** @param {string} command @param {number | string} status @param {string} output */
  constructor(command, status, output) {
    super(`\`${command}\` failed (${status}).\n${output.trim()}`);
    this.name = "CommandError";
    this.output = output;
  }
}

/** The most characters of output that an error shows: the last ones, because the cause is usually there. */
const MAX_SHOWN = 20_000;

/** Children that run now, so that an interrupted program can end them. @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();

/**
 * Runs a command and returns its standard output. The output is shown only when the command fails.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string | undefined>, cwd?: string, live?: boolean, nice?: number }} options
 * `live` passes its output through at once; `nice` is its priority, except on Windows: a higher number yields the processor to others
 * @returns {Promise<string>}
 */
export function run(command, args, { env = {}, cwd, live = false, nice = 0 } = {}) {
  const words = [command, ...args];
  const [file = "", ...rest] = nice > 0 && process.platform !== "win32" ? ["nice", "-n", `${nice}`, ...words] : words;
  return new Promise((done, fail) => {
    const child = spawn(file, rest, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.add(child);
    let output = "";
    let recent = "";
    child.stdout.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
      if (live) process.stdout.write(text);
      output += text;
      recent = (recent + text).slice(-MAX_SHOWN);
    });
    child.stderr.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
      if (live) process.stderr.write(text);
      recent = (recent + text).slice(-MAX_SHOWN);
    });
    const name = words.join(" ");
    child.once("error", (error) => fail(new CommandError(name, error.message, "")));
    child.once("close", (code, signal) => {
      running.delete(child);
      if (code === 0) done(output);
      else fail(new CommandError(name, code ?? String(signal), live ? "" : recent));
    });
  });
}

/** Ends every command that still runs. */
export function endRunning() {
  for (const child of running) child.kill("SIGTERM");
}
