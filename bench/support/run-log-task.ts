import { fork } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import type { LOG_FORMATS } from "@/lib/contracts/log/execution-export";

/** A task over the whole log: a verification, or an export in a format. */
export type LogTask = "verify" | (typeof LOG_FORMATS)[number];

/** The result and cost of a task. */
export interface LogTaskResult {
  /** Rows that were verified, or calls that were exported. */
  readonly count: number;
  readonly seconds: number;
  /** Seconds of processor time of the process, from its start to its end. */
  readonly processor: number;
  /** Peak memory of the process in megabytes, as the system counts it, and peak heap in use. */
  readonly resident: number;
  readonly heap: number;
  /** Megabytes of exported text. */
  readonly text: number;
}

/** Does the task in a new process, from the bundle beside the bench's. @throws when it fails */
export async function runLogTask(kind: LogTask): Promise<LogTaskResult> {
  const program = join(dirname(process.argv[1] ?? ""), "support", "log-task.mjs");
  const child = fork(program, [kind], { execArgv: [] });
  const [done] = (await Promise.race([once(child, "message"), once(child, "exit")])) as [LogTaskResult | number];
  if (typeof done !== "object") throw new Error(`${kind} ended with ${done}.`);
  return done;
}
