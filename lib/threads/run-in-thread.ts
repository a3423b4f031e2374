import { join } from "node:path";
import type { Worker as WorkerThread } from "node:worker_threads";
import { AppError, type ErrorCode, type FieldProblem } from "@/lib/errors";

/** What the thread gets: a job of the table in bin/job-worker.ts, and its input. */
export interface ToThread {
  readonly job: string;
  readonly input: unknown;
}

/** What it says: that its clock runs, parts of what it makes, and last the answer or the refusal. */
export type FromThread =
  | { readonly kind: "began" }
  | { readonly kind: "part"; readonly part: unknown }
  | { readonly kind: "ended"; readonly answer: unknown }
  | {
      readonly kind: "refused";
      readonly code: ErrorCode;
      readonly message: string;
      readonly errors: readonly FieldProblem[];
    }
  | { readonly kind: "broke"; readonly message: string };

/** One piece of work for a thread. */
export interface ThreadWork<Part> {
  readonly job: string;
  /** Structured clones reach the thread; what is in `transfer` is handed over instead. */
  readonly input: unknown;
  readonly transfer?: readonly ArrayBuffer[];
  /** How long it may take once the thread has it, in milliseconds; what `take` takes does not count. */
  readonly deadlineMs: number;
  /** Bounds the thread's heap; such a thread is used once. Absent = the usual one. */
  readonly heapMib?: number;
  /** Ends the work when the caller has left. */
  readonly signal?: AbortSignal;
  /** Takes a part; the thread goes on when it is taken. Small parts keep the thread that takes them free. */
  readonly take?: (part: Part) => Promise<void> | void;
}

/** Work that took too long, or more memory than it may have. */
export class ThreadOverrun extends Error {}

/** Threads that run at the same time in a process. */
const MOST_THREADS = 4;
/** Work that waits for a thread; more is refused. */
const MOST_WAITING = 32;
const HEAP_MIB = 512;
/** How long a thread may take to load what it needs, in milliseconds. */
const START_MS = 10_000;
/** How long a thread without work is kept for the next one, in milliseconds. */
const IDLE_MS = 60_000;

// Not imported, so that no bundler takes the file below for a part of its own.
const { Worker } = process.getBuiltinModule("node:worker_threads");

/** bin/job-worker.ts as `npm start` and the tests bundle it (bin/build.mjs): a thread has no TypeScript loader. */
const WORKER = "dist/job-worker.mjs";

interface Pool {
  idle: { worker: WorkerThread; timer: NodeJS.Timeout } | null;
  running: number;
  readonly waiting: (() => void)[];
}

/** Next bundles each route on its own: the threads of a process are one set. */
const shared = globalThis as typeof globalThis & { quartermasterThreads?: Pool };

function pool(): Pool {
  return (shared.quartermasterThreads ??= { idle: null, running: 0, waiting: [] });
}

/**
 * Runs a pure job in a thread without our environment, within a time and a heap, so that no input holds up the thread that
 * serves. A thread that overran, broke or was left is ended.
 *
 * @throws ThreadOverrun when it takes too long or too much memory; AppError as the job refuses, `overloaded` when too many
 * wait; the reason of `signal`
 */
export async function runInThread<Answer, Part = never>(work: ThreadWork<Part>): Promise<Answer> {
  await takePlace();
  let worker: WorkerThread | null = null;
  let reusable = false;
  try {
    work.signal?.throwIfAborted();
    worker = work.heapMib === undefined ? (takeIdle() ?? start(HEAP_MIB)) : start(work.heapMib);
    const answer = await answerOf<Answer, Part>(worker, work);
    reusable = work.heapMib === undefined;
    return answer;
  } catch (error) {
    reusable = work.heapMib === undefined && error instanceof AppError;
    throw error;
  } finally {
    if (worker !== null && !(reusable && keepIdle(worker))) await worker.terminate();
    const next = pool().waiting.shift();
    // The place is handed on: nobody comes in between.
    if (next === undefined) pool().running -= 1;
    else next();
  }
}

/** Ends the thread that is kept; for the end of a process or a test. */
export function closeThreads(): void {
  void takeIdle()?.terminate();
}

/** The work that waits for a thread's word. */
interface Running {
  readonly hear: (said: FromThread) => void;
  readonly fail: (error: Error) => void;
}

const atWork = new WeakMap<WorkerThread, Running>();

function start(maxOldGenerationSizeMb: number): WorkerThread {
  const worker = new Worker(join(process.cwd(), WORKER), {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb },
  });
  const fail = (error: Error) => {
    forget(worker);
    atWork.get(worker)?.fail(error);
  };
  worker.on("message", (said: FromThread) => atWork.get(worker)?.hear(said));
  worker.on("error", (cause: NodeJS.ErrnoException) => {
    const full = cause.code === "ERR_WORKER_OUT_OF_MEMORY";
    fail(full ? new ThreadOverrun("It takes more memory than it may have.", { cause }) : cause);
  });
  worker.on("exit", (code) => fail(new Error(`The thread ended with code ${code}.`)));
  return worker;
}

async function takePlace(): Promise<void> {
  const { running, waiting } = pool();
  if (running < MOST_THREADS) pool().running += 1;
  else if (waiting.length >= MOST_WAITING)
    throw new AppError("overloaded", "Too much is worked on at once: try again soon.");
  else await new Promise<void>((resolve) => waiting.push(resolve));
}

function takeIdle(): WorkerThread | null {
  const { idle } = pool();
  if (idle === null) return null;
  forget(idle.worker);
  idle.worker.ref();
  return idle.worker;
}

function keepIdle(worker: WorkerThread): boolean {
  if (pool().idle !== null) return false;
  worker.unref();
  const end = () => {
    forget(worker);
    void worker.terminate();
  };
  pool().idle = { worker, timer: setTimeout(end, IDLE_MS).unref() };
  return true;
}

/** A thread that is taken, or has ended, is not kept for the next work. */
function forget(worker: WorkerThread): void {
  const { idle } = pool();
  if (idle?.worker !== worker) return;
  clearTimeout(idle.timer);
  pool().idle = null;
}

function answerOf<Answer, Part>(worker: WorkerThread, work: ThreadWork<Part>): Promise<Answer> {
  const { job, input, transfer, deadlineMs, signal, take } = work;
  let timer: NodeJS.Timeout | undefined;
  return new Promise<Answer>((resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`The thread was not ready after ${START_MS} ms.`)), START_MS);
    let left = deadlineMs;
    let since = 0;
    const stop = () => {
      clearTimeout(timer);
      left -= performance.now() - since;
    };
    const run = () => {
      since = performance.now();
      const tooLong = () => reject(new ThreadOverrun(`It takes longer than ${deadlineMs} ms.`));
      // An answer that came while this thread was busy is heard before the verdict.
      timer = setTimeout(() => setImmediate(tooLong), Math.max(0, left));
    };
    const hear = async (said: FromThread): Promise<void> => {
      if (said.kind === "began") {
        clearTimeout(timer);
        return run();
      }
      stop();
      if (said.kind === "part") {
        await take?.(said.part as Part);
        run();
        worker.postMessage("more", []);
      } else if (said.kind === "ended") resolve(said.answer as Answer);
      else if (said.kind === "refused") reject(new AppError(said.code, said.message, { errors: said.errors }));
      else reject(new Error(`The job \`${job}\` broke in its thread: ${said.message}`));
    };
    atWork.set(worker, { hear: (said) => void hear(said).catch(reject), fail: reject });
    signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    worker.postMessage({ job, input } satisfies ToThread, [...(transfer ?? [])]);
  }).finally(() => {
    atWork.delete(worker);
    clearTimeout(timer);
  });
}
