import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { install, needsInstall } from "@/bin/boot/install.mjs";

const run = promisify(execFile);
const FOLDER = import.meta.dirname;

/** What a program said. */
export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Installs the programs of others that these tests run, unless they are there: about 400 MB and a minute, which neither
 * the app nor its other tests need.
 */
export async function requirePrograms(): Promise<void> {
  if (needsInstall(FOLDER)) await install(FOLDER, "--ignore-scripts");
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
export async function runProgram(script: string, args: readonly string[], cwd = FOLDER): Promise<Said> {
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
