import { AppError } from "@/lib/errors";
import type { PrintedLine, ToolAnswer, Verdict } from "@/lib/sandbox/messages";
import { Thread, type Job } from "@/lib/sandbox/thread";

/** Scripts that run at the same time; each may fill 32 MiB. */
const MAX_THREADS = 8;
/** Threads that are kept for the next script. */
const MAX_IDLE = 2;
/** Scripts that wait for a thread; more are refused. */
const MAX_WAITING = 64;
/** How long looking at a script's syntax may take, its place in the queue included, in milliseconds. */
const CHECK_MS = 15_000;

/** A script to run. */
export interface Script {
  /** A module whose default export is a function `(args, { callTool })`. */
  readonly code: string;
  /** JSON text. */
  readonly args: string;
  /** Milliseconds that it may compute; waiting for tools does not count. */
  readonly cpuMs: number;
  /** The tool's deadline, waiting included. */
  readonly signal: AbortSignal;
  /** The one door out. `args` is JSON text. Never rejects. */
  readonly callTool: (name: string, args: string) => Promise<ToolAnswer>;
  readonly print: (line: PrintedLine) => void;
  /** Called by a script that keeps its own thread: it does not wait for another. */
  readonly nested: boolean;
}

/** Why a script cannot be compiled. */
export interface SyntaxProblem {
  readonly message: string;
  /** From 1; `null` when the engine does not know it. */
  readonly line: number | null;
}

/**
 * Runs scripts of admins where they can do nothing but compute (docs/reference/execution.md#sandbox): an engine in WebAssembly in a
 * thread of its own, a fresh runtime for each run, bounded memory and time. A thread that faulted is thrown away.
 */
export class Sandbox {
  readonly #idle: Thread[] = [];
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  /**
   * Runs a script to its verdict.
   *
   * @throws AppError `overloaded` when too many scripts run already
   */
  async run({ code, args, cpuMs, nested, ...job }: Script): Promise<Verdict> {
    return this.#inThread({ message: { kind: "run", code, args, cpuMs }, ...job }, nested);
  }

  /**
   * Why a script does not compile; `null` when it does. Nothing of it is run.
   *
   * @throws AppError `overloaded`, `internal`
   */
  async check(code: string): Promise<SyntaxProblem | null> {
    const signal = AbortSignal.timeout(CHECK_MS);
    const message = { kind: "check", code, cpuMs: 1_000 } as const;
    const verdict = await this.#inThread({ message, signal, callTool: noTool, print: () => {} }, false);
    if (verdict.ok) return null;
    // Out of time or memory, or our own failure, is no judgement of the syntax.
    if (verdict.code === "internal") throw new AppError("internal", verdict.message);
    if (verdict.code !== "sandbox_error") throw overloaded();
    return { message: verdict.message, line: verdict.line };
  }

  /** Ends all idle threads; those that run end with their script. */
  close(): void {
    for (const thread of this.#idle.splice(0)) thread.close();
  }

  async #inThread(job: Job, nested: boolean): Promise<Verdict> {
    await this.#takePlace(job.signal, nested);
    try {
      const thread = this.#takeIdle() ?? (await Thread.start());
      const verdict = await thread.run(job);
      if (!thread.dead && this.#idle.length < MAX_IDLE) this.#idle.push(thread);
      else thread.close();
      return verdict;
    } finally {
      // The place is handed on: nobody comes in between.
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
  async #takePlace(signal: AbortSignal, nested: boolean): Promise<void> {
    if (this.#taken < MAX_THREADS) {
      this.#taken += 1;
      return;
    }
    // Scripts that wait for each other's threads would wait for ever.
    if (nested || this.#waiting.length >= MAX_WAITING) throw overloaded();
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
  return new AppError("overloaded", "Too many scripts run at the moment; try again.");
}

function noTool(): Promise<ToolAnswer> {
  return Promise.resolve({ ok: false, code: "internal", message: "Nothing is run." });
}

/** Next bundles each route on its own: the threads of a process are one set. */
const shared = globalThis as typeof globalThis & { quartermasterSandbox?: Sandbox };

/** The sandbox of this process. */
export function sharedSandbox(): Sandbox {
  return (shared.quartermasterSandbox ??= new Sandbox());
}
