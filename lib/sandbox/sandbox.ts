import { singleton } from "@/lib/process/singleton";
import { AppError } from "@/lib/errors";
import type { PrintedLine, ToolAnswer, Verdict } from "@/lib/sandbox/messages";
import { Thread, type Job } from "@/lib/sandbox/thread";

/** The most scripts that run at the same time; each may fill 32 MiB. */
const MAX_THREADS = 8;
/** The most threads to keep for later scripts. */
const MAX_IDLE = 2;
/** The most scripts that wait for a thread; more are refused. */
const MAX_WAITING = 64;
/** The time limit of a syntax check, including its wait in the queue, in milliseconds. */
const CHECK_MS = 15_000;

/** A script to run. */
interface Script {
  /** A module whose default export is a function `(args, { callTool })`. */
  readonly code: string;
  /** JSON text. */
  readonly args: string;
  /** Computing time in milliseconds; waiting for tools does not count. */
  readonly cpuMs: number;
  /** The tool's deadline, waiting included. */
  readonly signal: AbortSignal;
  /** The only function that reaches outside the sandbox. `args` is JSON text. Never rejects. */
  readonly callTool: (name: string, args: string) => Promise<ToolAnswer>;
  readonly print: (line: PrintedLine) => void;
  /** True for a script that another script called: it does not wait for a thread, because its caller keeps one. */
  readonly nested: boolean;
}

/** Why a script does not compile. */
interface SyntaxProblem {
  readonly message: string;
  /** From 1; `null` when the engine does not know it. */
  readonly line: number | null;
}

/**
 * Runs scripts of admins where they can only compute (docs/reference/execution.md#sandbox): a WebAssembly engine in a
 * separate thread, a new runtime for each run, limited memory and time. A faulty thread is discarded.
 */
export class Sandbox {
  readonly #idle: Thread[] = [];
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  /**
   * Runs a script to its verdict.
   * @throws AppError `overloaded` when too many scripts are running
   */
  async run({ code, args, cpuMs, nested, ...job }: Script): Promise<Verdict> {
    return this.#inThread({ message: { kind: "run", code, args, cpuMs }, ...job }, nested);
  }

  /**
   * Why a script does not compile; `null` when it does. Runs none of it.
   * @throws AppError `overloaded`, `internal`
   */
  async check(code: string): Promise<SyntaxProblem | null> {
    const signal = AbortSignal.timeout(CHECK_MS);
    const message = { kind: "check", code, cpuMs: 1_000 } as const;
    const verdict = await this.#inThread({ message, signal, callTool: noTool, print: () => {} }, false);
    if (verdict.ok) return null;
    // Running out of time or memory, or an internal failure, says nothing about the syntax.
    if (verdict.code === "internal") throw new AppError("internal", verdict.message);
    if (verdict.code !== "sandbox_error") throw overloaded();
    return { message: verdict.message, line: verdict.line };
  }

  /** Ends all idle threads. Running threads end with their script. */
  close(): void {
    for (const thread of this.#idle.splice(0)) thread.close();
  }

  async #inThread(job: Job, nested: boolean): Promise<Verdict> {
    await this.#acquireSlot(job.signal, nested);
    try {
      const thread = this.#takeIdle() ?? (await Thread.start());
      const verdict = await thread.run(job);
      if (!thread.dead && this.#idle.length < MAX_IDLE) this.#idle.push(thread);
      else thread.close();
      return verdict;
    } finally {
      // Passes the place on directly, so that no other script takes it in between.
      const next = this.#waiting.shift();
      if (next === undefined) this.#taken -= 1;
      else next();
    }
  }

  #takeIdle(): Thread | undefined {
    for (let thread = this.#idle.pop(); thread !== undefined; thread = this.#idle.pop())
      if (!thread.dead) return thread;
    return undefined;
  }

  /** @throws AppError `overloaded` */
  async #acquireSlot(signal: AbortSignal, nested: boolean): Promise<void> {
    if (this.#taken < MAX_THREADS) {
      this.#taken += 1;
      return;
    }
    // Scripts that wait for each other's threads would deadlock.
    if (nested || this.#waiting.length >= MAX_WAITING || signal.aborted) throw overloaded();
    await new Promise<void>((resolve, reject) => {
      const go = () => {
        signal.removeEventListener("abort", stop);
        resolve();
      };
      const stop = () => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(overloaded());
      };
      this.#waiting.push(go);
      signal.addEventListener("abort", stop, { once: true });
    });
  }
}

function overloaded(): AppError {
  return new AppError("overloaded", "Too many scripts are running: try again.");
}

function noTool(): Promise<ToolAnswer> {
  return Promise.resolve({ ok: false, code: "internal", message: "Nothing is run." });
}

/** The sandbox of this process. */
export const sharedSandbox = singleton("Sandbox", () => new Sandbox());
