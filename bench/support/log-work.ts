import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { LOG_FORMATS } from "@/lib/contracts/log/execution-export";

/** A piece of work on the whole log: a verification, or an export in a format. */
export type LogWork = "verify" | (typeof LOG_FORMATS)[number];

/** What it took. */
export interface LogWorkDone {
  /** Rows that were verified, or calls that were exported. */
  readonly count: number;
  readonly seconds: number;
  /** Seconds of processor of the process, from its start to its end. */
  readonly processor: number;
  /** Megabytes: the most that the process had at any time, as the system counts them, and the most of the heap in use. */
  readonly resident: number;
  readonly heap: number;
  /** Megabytes of text that were made. */
  readonly text: number;
}

/** Does it in a process of its own, which has done nothing else before. @throws when it fails */
export async function logWork(kind: LogWork): Promise<LogWorkDone> {
  const program = fileURLToPath(new URL("worked-log.ts", import.meta.url));
  const child = fork(program, [kind], { execArgv: ["--import", "tsx"] });
  const [done] = (await Promise.race([once(child, "message"), once(child, "exit")])) as [LogWorkDone | number];
  if (typeof done !== "object") throw new Error(`${kind} ended with ${done}.`);
  return done;
}
