import { join } from "node:path";
import type { Worker as WorkerThread } from "node:worker_threads";
import { singleton } from "@/lib/process/singleton";
import { AppError, type ErrorCode, type FieldProblem } from "@/lib/errors";

/** The message to the thread: a job of the table in bin/job-worker.ts, and its input. */
export interface ToThread {
  readonly job: string;
  readonly input: unknown;
}

/** A message from the thread: the job has begun, a part of its result, and last the answer or the refusal. */
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
interface ThreadWork<Part> {
  readonly job: string;
  /** Copied to the thread by structured clone, except the buffers in `transfer`, which move there. */
  readonly input: unknown;
  readonly transfer?: readonly ArrayBuffer[];
  /** The time limit of the work, in milliseconds. Waiting for a thread, starting one and `take` do not count. */
  readonly deadlineMs: number;
  /** Limits the thread's heap; such a thread is used once. Absent = the default limit. */
  readonly heapMib?: number;
  /** Ends the work when the caller disconnects. */
  readonly signal?: AbortSignal | undefined;
  /** The refusal that replaces `ThreadOverrun`. */
  readonly overrun?: readonly [code: ErrorCode, message: string];
  /** Receives a part; the thread continues afterwards. Small parts keep the receiving thread responsive. */
  readonly take?: (part: Part) => Promise<void> | void;
}

/** The buffer of bytes that own all of it, to transfer instead of copying. Small bytes share their buffer with others. */
export function ownedBuffer(bytes: unknown): ArrayBuffer[] {
  if (!(bytes instanceof Uint8Array) || bytes.byteLength < bytes.buffer.byteLength) return [];
  return [bytes.buffer as ArrayBuffer];
}

/** The work took too long, or needed too much memory. */
export class ThreadOverrun extends Error {}

/** The most threads that run at the same time in a process. */
const MAX_THREADS = 4;
/** The most jobs that wait for a thread; more are refused. */
const MAX_WAITING = 32;
const HEAP_MIB = 512;
/** The time limit for waiting for a thread, and for a thread to load its code, in milliseconds. */
const START_MS = 10_000;
/** How long an idle thread is kept for the next job, in milliseconds. */
const IDLE_MS = 60_000;

// Not imported, so that no bundler includes the file below.
const { Worker } = process.getBuiltinModule("node:worker_threads");

/** bin/job-worker.ts, bundled by `npm start` and the tests (bin/boot/build.mjs): a thread has no TypeScript loader. */
const WORKER = "dist/job-worker.mjs";

interface Pool {
  idle: { worker: WorkerThread; timer: NodeJS.Timeout } | null;
  running: number;
  /** Each receives the slot of a job that ended, in the order in which they came. */
  readonly waiting: Set<() => void>;
}

const pool = singleton<Pool>("Threads", () => ({ idle: null, running: 0, waiting: new Set() }));

/**
 * Runs a pure job in a thread without the process's environment, with a time and a heap limit, so that no input blocks
 * the serving thread. A thread that overran, failed or was abandoned is ended.
 * @throws ThreadOverrun, or its `overrun`, when the job takes too long or too much memory; AppError as the job refuses,
 * `overloaded` when too many wait or no thread is ready in time; the reason of `signal`
 */
export async function runInThread<Answer, Part = never>(work: ThreadWork<Part>): Promise<Answer> {
  await acquireSlot(work);
  let worker: WorkerThread | null = null;
  let reusable = false;
  try {
    work.signal?.throwIfAborted();
    worker = work.heapMib === undefined ? (takeIdle() ?? start(HEAP_MIB)) : start(work.heapMib);
    const ended = await answerOf<Answer, Part>(worker, work);
    // Only a thread that has ended its job is free for the next one.
    reusable = work.heapMib === undefined;
    if (ended instanceof AppError) throw ended;
    return ended;
  } catch (cause) {
    if (work.overrun === undefined || !(cause instanceof ThreadOverrun)) throw cause;
    throw new AppError(...work.overrun, { cause });
  } finally {
    if (worker !== null && !(reusable && keepIdle(worker))) await worker.terminate();
    const [next] = pool().waiting;
    // Passes the slot on directly, so that no other job takes it in between.
    if (next === undefined) pool().running -= 1;
    else next();
  }
}

/** Ends the idle thread; for the end of a process or a test. */
export function closeThreads(): void {
  void takeIdle()?.terminate();
}

function start(maxOldGenerationSizeMb: number): WorkerThread {
  const worker = new Worker(join(process.cwd(), WORKER), {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb },
  });
  worker.on("error", () => forget(worker));
  worker.on("exit", () => forget(worker));
  return worker;
}

/** Waits for a slot until the caller leaves. @throws AppError `overloaded` when too many wait, or none is free in time */
async function acquireSlot({ signal, deadlineMs }: Pick<ThreadWork<never>, "signal" | "deadlineMs">): Promise<void> {
  const { running, waiting } = pool();
  signal?.throwIfAborted();
  if (running < MAX_THREADS) {
    pool().running += 1;
    return;
  }
  if (waiting.size >= MAX_WAITING) throw overloaded();
  const finished = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve, reject) => {
    const receive = () => {
      waiting.delete(receive);
      resolve();
    };
    // A job that received a slot keeps it until `runInThread` passes it on.
    const leave = (reason: Error) => waiting.delete(receive) && reject(reason);
    waiting.add(receive);
    // Long work may wait for work that is as long.
    timer = setTimeout(() => leave(overloaded()), Math.max(START_MS, deadlineMs));
    signal?.addEventListener("abort", () => leave(signal.reason as Error), { once: true, signal: finished.signal });
  }).finally(() => {
    finished.abort();
    clearTimeout(timer);
  });
}

function overloaded(): AppError {
  return new AppError("overloaded", "Too much is worked on at once: try again soon.");
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

/** Removes a thread that was taken, or has ended, from the idle slot. */
function forget(worker: WorkerThread): void {
  const { idle } = pool();
  if (idle?.worker !== worker) return;
  clearTimeout(idle.timer);
  pool().idle = null;
}

/**
 * Gives a thread a job. Resolves with its answer or refusal. Listens to the thread only for this job: Next bundles each
 * route separately, so another copy of this module may have started the thread.
 */
function answerOf<Answer, Part>(worker: WorkerThread, work: ThreadWork<Part>): Promise<Answer | AppError> {
  const { job, input, transfer, deadlineMs, signal, take } = work;
  const finished = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  return new Promise<Answer | AppError>((resolve, reject) => {
    timer = setTimeout(() => reject(overloaded()), START_MS);
    let left = deadlineMs;
    let since = 0;
    const stop = () => {
      clearTimeout(timer);
      left -= performance.now() - since;
    };
    const run = () => {
      since = performance.now();
      const tooLong = () => reject(new ThreadOverrun(`It takes longer than ${deadlineMs} ms.`));
      // Handles an answer that arrived while this thread was busy before it reports the timeout.
      timer = setTimeout(() => setImmediate(tooLong), Math.max(0, left));
    };
    const onMessage = async (message: FromThread): Promise<void> => {
      if (message.kind === "began") {
        clearTimeout(timer);
        return run();
      }
      stop();
      if (message.kind === "part") {
        await take?.(message.part as Part);
        // A thread may work on while its part is taken, and fail meanwhile.
        if (finished.signal.aborted) return;
        run();
        worker.postMessage("more", []);
      } else if (message.kind === "ended") resolve(message.answer as Answer);
      else if (message.kind === "refused")
        resolve(new AppError(message.code, message.message, { errors: message.errors }));
      else reject(new Error(`The job \`${job}\` broke in its thread: ${message.message}`));
    };
    listen(worker, finished.signal, { onMessage: (message) => void onMessage(message).catch(reject), fail: reject });
    signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true, signal: finished.signal });
    worker.postMessage({ job, input } satisfies ToThread, [...(transfer ?? [])]);
  }).finally(() => {
    finished.abort();
    clearTimeout(timer);
  });
}

/** The handlers of a job's messages and failure. */
interface Running {
  readonly onMessage: (message: FromThread) => void;
  readonly fail: (error: Error) => void;
}

/** Passes a thread's messages and its failure on until `finished`. */
function listen(worker: WorkerThread, finished: AbortSignal, { onMessage, fail }: Running): void {
  const failed = (cause: NodeJS.ErrnoException) => {
    const isFull = cause.code === "ERR_WORKER_OUT_OF_MEMORY";
    fail(isFull ? new ThreadOverrun("It takes more memory than it may have.", { cause }) : cause);
  };
  const exited = (code: number) => fail(new Error(`The thread ended with code ${code}.`));
  worker.on("message", onMessage).on("error", failed).on("exit", exited);
  finished.addEventListener("abort", () => worker.off("message", onMessage).off("error", failed).off("exit", exited));
}
