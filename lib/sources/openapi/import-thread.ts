import { join } from "node:path";
import type { Worker as WorkerThread } from "node:worker_threads";
import { AppError } from "@/lib/errors";
import type { ToolInput } from "@/lib/resources/tool";
import type { Downloaded } from "@/lib/sources/openapi/download";
import type { Imported, ImportOptions } from "@/lib/sources/openapi/import-openapi";

/** What the thread is given: the document as it came, and what to mask in it before anything is made of it. */
export interface ToWorker extends Downloaded {
  readonly options: Omit<ImportOptions, "progress">;
}

/**
 * What it says: how far it is, tools in their order, and last that all is read or why nothing can be. After each lot of tools it
 * waits for a word: what is said at once is heard at once, and nothing else meanwhile.
 */
export type FromWorker =
  | { readonly kind: "progress"; readonly done: number; readonly total: number }
  | { readonly kind: "tools"; readonly tools: readonly ToolInput[] }
  | (ReadImport & { readonly kind: "read" })
  | (Pick<AppError, "code" | "message" | "errors"> & { readonly kind: "refused" });

/** What a reading comes to, besides the tools. */
export type ReadImport = Omit<Imported, "tools">;

/** Takes a lot of tools, in the order of the source. */
export type TakeTools = (tools: readonly ToolInput[]) => Promise<void>;

/** Who hears how a reading goes. */
interface Listening {
  readonly progress: (done: number, total: number) => void;
  /** The thread goes on reading when a lot is taken, so that few wait in memory. */
  readonly take: TakeTools;
}

/** Bounds of one reading: real documents of 10 MB take seconds and a few hundred megabytes. */
const LONGEST_MS = 120_000;
const HEAP_MIB = 1024;
const MOST_AT_ONCE = 4;

// Not imported, so that no bundler takes the file below for a part of its own.
const { Worker } = process.getBuiltinModule("node:worker_threads");

/** bin/import-worker.ts as `npm start` and the tests bundle it (bin/build.mjs): a thread has no TypeScript loader. */
const WORKER = "dist/import-worker.mjs";

let running = 0;

/**
 * Reads a document (see `readOpenApi`, `importOpenApi`) in a thread of its own, without our environment and with a
 * bounded heap and time, so that no document holds up the process.
 *
 * @throws AppError `invalid_request` that says what is wrong with the document; `overloaded`
 */
export async function importInThread(given: ToWorker, listening: Listening): Promise<ReadImport> {
  if (running >= MOST_AT_ONCE) throw new AppError("overloaded", "Too many documents are read at once: try again soon.");
  const worker = new Worker(join(process.cwd(), WORKER), {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    workerData: given,
    transferList: owned(given.document),
  });
  running += 1;
  try {
    return await answerOf(worker, listening);
  } finally {
    running -= 1;
    await worker.terminate();
  }
}

/** Memory that is the document's alone is handed over and not copied; a small document lies among others. */
function owned(document: Downloaded["document"]): ArrayBuffer[] {
  if (typeof document === "string" || document.byteLength < document.buffer.byteLength) return [];
  return [document.buffer as ArrayBuffer];
}

function answerOf(worker: WorkerThread, { progress, take }: Listening): Promise<ReadImport> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(tooMuch()), LONGEST_MS);
    worker.on("message", (said: FromWorker) => {
      if (said.kind === "progress") progress(said.done, said.total);
      else if (said.kind === "tools") take(said.tools).then(() => worker.postMessage("more", []), reject);
      else if (said.kind === "read") {
        const { title, findings, suggestedAuth, server } = said;
        resolve({ title, findings, suggestedAuth, server });
      } else reject(new AppError(said.code, said.message, { errors: said.errors }));
    });
    worker.once("error", (cause: NodeJS.ErrnoException) =>
      reject(cause.code === "ERR_WORKER_OUT_OF_MEMORY" ? tooMuch(cause) : cause),
    );
    worker.once("exit", (code) => {
      clearTimeout(timer);
      reject(new Error(`The thread that reads documents ended with code ${code}.`));
    });
  });
}

function tooMuch(cause?: unknown): AppError {
  return new AppError("invalid_request", "The document takes too long or too much memory to read.", { cause });
}
