import { fork } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const PROGRAM = join("bench", "support", "held-up.mjs");

/** Milliseconds that an event loop was held up at once, at the most. */
export interface HoldUp {
  /** As whoever waited saw it, on a machine that does other things too. */
  readonly all: number;
  /** Of the loop's own work: the same on a machine that does nothing else. */
  readonly own: number;
}

/** Sees how long event loops of other processes are held up. */
export interface HoldUps {
  /** What a process is to be started with in order to be seen. */
  readonly env: Readonly<Record<string, string>>;
  /** A process that does nothing: what the machine's other work does to it. */
  readonly idle: number;
  /** The processes that serve now and can be asked, with the program that each runs; not the idle one. */
  readonly running: () => readonly { readonly pid: number; readonly program: string }[];
  /** The longest of a process since it was last asked. */
  longest(pid: number): Promise<HoldUp>;
  stop(): void;
}

/** Starts looking. */
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
