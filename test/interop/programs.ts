import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { install, needsInstall } from "@/bin/boot/install.mjs";

const run = promisify(execFile);
const FOLDER = import.meta.dirname;

/** The exit code and the output of a program. */
export interface ProgramResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Installs the programs of others that these tests run, unless they are there: about 400 MB and a minute, which neither
 * the app nor its other tests need.
 */
export async function requirePrograms(): Promise<void> {
  if (needsInstall(FOLDER)) await install(FOLDER, "all", "--ignore-scripts");
}

/** Some of them need Node 22: this one, when it is that new, else a binary from npm. */
export function node22(): string {
  if (Number(process.versions.node.split(".")[0]) >= 22) return process.execPath;
  const binary = join(FOLDER, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
  if (existsSync(binary)) return binary;
  throw new Error(
    `Run these tests with Node 22: npm has no binary of it for ${process.platform} ${process.arch} here.`,
  );
}

/** Runs a script below this folder under Node 22 and waits for its end. */
export async function runProgram(script: string, args: readonly string[], cwd = FOLDER): Promise<ProgramResult> {
  const env = { NODE_ENV: "test", PATH: process.env["PATH"], HOME: cwd, NO_COLOR: "1" } as const;
  const options = { cwd, env, timeout: 240_000, maxBuffer: 64 * 1024 * 1024 };
  try {
    return { code: 0, ...(await run(node22(), [join(FOLDER, script), ...args], options)) };
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (typeof code !== "number") throw error;
    return { code, stdout: stdout ?? "", stderr: stderr ?? "" };
  }
}

/** A program that runs until it is stopped. */
interface Running {
  /** Waits for the next match in its output, after the previous match. */
  waitForOutput(pattern: RegExp): Promise<string>;
  /** Sends it an empty line, which starts its next step. */
  proceed(): void;
  /** Stops it and what it started. */
  stop(): Promise<void>;
}

/**
 * Starts a script below this folder under Node 22, with an empty home. Its PATH names no program, so that it opens no
 * browser on the machine of the person who runs the tests.
 */
export function startProgram(script: string, args: readonly string[], more: Record<string, string> = {}): Running {
  const home = mkdtempSync(join(tmpdir(), "interop-"));
  const env = { NODE_ENV: "test", HOME: home, PATH: home, NO_COLOR: "1", ...more } as const;
  const child = spawn(node22(), [join(FOLDER, script), ...args], { cwd: home, env, stdio: "pipe", detached: true });
  let output = "";
  let read = 0;
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part: Buffer) => {
      output += part.toString();
      for (const check of waiting) check();
    });
  const ended = once(child, "close");
  const waitForOutput = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const check = () => {
        const found = pattern.exec(output.slice(read));
        if (found === null) return;
        waiting.delete(check);
        read += found.index + found[0].length;
        resolve(found[0]);
      };
      waiting.add(check);
      check();
      void ended.then(() => reject(new Error(`It ended without ${pattern}: ${output}`)));
    });
  const stop = async () => {
    // The group: clients start helpers of their own.
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
    await ended;
    rmSync(home, { recursive: true, force: true });
  };
  return { waitForOutput, proceed: () => void child.stdin.write("\n"), stop };
}
