import { fork } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const PROGRAM = join("bench", "support", "held-up.mjs");

/** The longest hold-up of an event loop, in milliseconds. */
export interface HoldUp {
  /** As requests feel it, with the delays that other programs on the machine add. */
  readonly all: number;
  /** The loop's own work only, without other programs. */
  readonly own: number;
}

/** Measures hold-ups of the event loops of other processes. */
export interface HoldUps {
  /** The environment that a measured process must be started with. */
  readonly env: Readonly<Record<string, string>>;
  /** The pid of an idle process: it shows what other programs on the machine add. */
  readonly idle: number;
  /** The measured processes that run now, each with its program, without the idle one. */
  readonly running: () => readonly { readonly pid: number; readonly program: string }[];
  /** The longest hold-up of a process since the last call. */
  longest(pid: number): Promise<HoldUp>;
  stop(): void;
}

/** Starts the measurement. */
export function watchHoldUps(): HoldUps {
  const folder = mkdtempSync(join(tmpdir(), "quartermaster-held-up-"));
  const env = { HELD_UP: folder, NODE_OPTIONS: `--import ${pathToFileURL(PROGRAM).href}` };
  const idle = fork(PROGRAM, { execArgv: [], env: { ...process.env, HELD_UP: folder } });
  return {
    env,
    idle: idle.pid ?? 0,
    running: () =>
      readdirSync(folder).flatMap((name) => {
        const pid = Number(/^process-(\d+)$/.exec(name)?.[1] ?? 0);
        if (pid === 0 || pid === idle.pid || !isAlive(pid)) return [];
        return [{ pid, program: readFileSync(join(folder, name), "utf8") }];
      }),
    longest: async (pid) => {
      const written = join(folder, String(pid));
      process.kill(pid, "SIGUSR2");
      while (!existsSync(written)) await delay(5);
      const longest = JSON.parse(readFileSync(written, "utf8")) as HoldUp;
      rmSync(written);
      return longest;
    },
    stop: () => {
      idle.disconnect();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
