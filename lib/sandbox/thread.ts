import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { log } from "@/lib/telemetry/log";
import type { FromWorker, PrintedLine, ToolAnswer, ToWorker, Verdict } from "@/lib/sandbox/messages";

/**
 * The most time that the engine may need to notice a script's time limit, in milliseconds
 * (docs/reference/promises.md#sandbox).
 */
export const GRACE_MS = 200;
/** The memory of one script (docs/reference/promises.md#sandbox). */
export const MEMORY_MIB = 32;

/** Run from this path, never bundled: only Node reads it, and no bundler can see where it is used. */
const WORKER = "lib/sandbox/worker.mjs";

/** One script run for a thread. */
export interface Job {
  readonly message: Exclude<ToWorker, { kind: "answer" }>;
  /** Ends the script unconditionally: the tool's deadline, or a disconnected caller. */
  readonly signal: AbortSignal;
  /** `args` is JSON text. Never rejects. */
  readonly callTool: (name: string, args: string) => Promise<ToolAnswer>;
  readonly print: (line: PrintedLine) => void;
}

/** A thread with an engine. Runs one job at a time. A `dead` thread runs none. */
export class Thread {
  readonly #worker: Worker;
  #running: Running | null = null;
  #dead = false;

  private constructor(engine: WebAssembly.Module, file: string) {
    this.#worker = new Worker(file, {
      workerData: engine,
      env: {},
      argv: [],
      execArgv: [],
      // Hides what the engine prints when it breaks.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB, maxYoungGenerationSizeMb: 4 },
    });
    this.#worker.unref();
    this.#worker.on("message", (message: FromWorker) => this.#running?.onMessage(message));
    this.#worker.on("error", (error: Error & { code?: string }) => {
      const isFull = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      if (!isFull) log.error({ err: error }, "A thread of the sandbox broke.");
      this.#fault(
        isFull
          ? failure("sandbox_memory", "The script needs more memory than its limit.")
          : failure("internal", "The sandbox failed. The script did not cause this."),
      );
    });
    this.#worker.on("exit", () => this.#fault(failure("internal", "The sandbox ended before the script.")));
  }

  /** Starts a thread. The engine is compiled once per process. */
  static async start(): Promise<Thread> {
    return new Thread(await compiledEngine(), join(process.cwd(), WORKER));
  }

  /** Whether the thread was discarded. */
  get dead(): boolean {
    return this.#dead;
  }

  /** Runs one job to its verdict. Never rejects. Afterwards the thread is idle or dead. */
  run(job: Job): Promise<Verdict> {
    this.#worker.ref();
    return new Promise((resolve) => {
      const running = new Running(job, {
        post: (message) => this.#worker.postMessage(message, []),
        end: (verdict, reusable) => {
          this.#running = null;
          this.#worker.unref();
          if (!reusable) this.close();
          resolve(verdict);
        },
      });
      this.#running = running;
      running.start();
    });
  }

  /** Ends the thread, whatever it is running. */
  close(): void {
    this.#dead = true;
    void this.#worker.terminate();
  }

  #fault(verdict: Verdict): void {
    this.#dead = true;
    this.#running?.end(verdict, false);
  }
}

interface JobHandlers {
  readonly post: (message: ToWorker) => void;
  readonly end: (verdict: Verdict, reusable: boolean) => void;
}

/** A running job: limits its time and forwards its tool calls. */
class Running {
  readonly #job: Job;
  readonly #handlers: JobHandlers;
  readonly #onAbort = () =>
    this.end(failure("sandbox_timeout", "The script was stopped before it returned a result."), false);
  #timer: NodeJS.Timeout | undefined;
  #remainingMs: number;
  #answers = 0;
  #ended = false;

  constructor(job: Job, handlers: JobHandlers) {
    this.#job = job;
    this.#handlers = handlers;
    this.#remainingMs = job.message.cpuMs;
  }

  start(): void {
    if (this.#job.signal.aborted) return this.#onAbort();
    this.#job.signal.addEventListener("abort", this.#onAbort, { once: true });
    this.#handlers.post(this.#job.message);
  }

  onMessage(message: FromWorker): void {
    if (this.#ended) return;
    if (message.kind === "started") this.#startTimer();
    else if (message.kind === "print") this.#job.print(message.line);
    else if (message.kind === "callTool") void this.#callTool(message);
    else if (message.kind === "waiting") this.#pauseClock(message);
    else this.end(message.verdict, message.reusable);
  }

  end(verdict: Verdict, reusable: boolean): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#job.signal.removeEventListener("abort", this.#onAbort);
    this.#handlers.end(verdict, reusable);
  }

  async #callTool({ id, name, args }: Extract<FromWorker, { kind: "callTool" }>): Promise<void> {
    const answer = await this.#job.callTool(name, args);
    if (this.#ended) return;
    this.#answers += 1;
    this.#startTimer();
    this.#handlers.post({ kind: "answer", id, answer: JSON.stringify(answer) });
  }

  /** Stops the timer while the script waits, unless an answer is on its way to the script. */
  #pauseClock({ usedMs, answered }: Extract<FromWorker, { kind: "waiting" }>): void {
    this.#remainingMs = Math.max(0, this.#job.message.cpuMs - usedMs);
    if (answered === this.#answers) this.#stopTimer();
  }

  /** The engine checks the clock itself. This timer ends a script that never reaches that check. */
  #startTimer(): void {
    this.#timer ??= setTimeout(() => {
      const seconds = this.#job.message.cpuMs / 1000;
      this.end(failure("sandbox_timeout", `The script computed for more than ${seconds} s.`), false);
    }, this.#remainingMs + GRACE_MS);
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

function failure(code: "sandbox_timeout" | "sandbox_memory" | "internal", message: string): Verdict {
  return { ok: false, code, message, line: null };
}

let engine: Promise<WebAssembly.Module> | undefined;

function compiledEngine(): Promise<WebAssembly.Module> {
  engine ??= compileEngine().catch((error: unknown) => {
    engine = undefined;
    throw error;
  });
  return engine;
}

async function compileEngine(): Promise<WebAssembly.Module> {
  const require = createRequire(join(process.cwd(), WORKER));
  return WebAssembly.compile(await readFile(require.resolve("@jitl/quickjs-wasmfile-release-sync/wasm")));
}
