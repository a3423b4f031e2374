import { join } from "node:path";
import type { Worker as WorkerThread } from "node:worker_threads";
import { singleton } from "@/lib/process/singleton";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/telemetry/log";
import type { SchemaProblem } from "@/lib/calls/schemas/schema-problem";

/** The message to the thread: a schema, and the value to check against it as JSON text. */
export interface ToWorker {
  readonly schema: JsonObject;
  readonly value: string;
  /** How long the check may take. */
  readonly milliseconds: number;
}

/** How a check ended. `uncheckable`: this value cannot be checked; another one may. */
export type Ended =
  | { readonly how: "checked"; readonly problems: readonly SchemaProblem[]; readonly compileMs: number }
  | { readonly how: "uncheckable"; readonly problem: string; readonly compileMs: number }
  | { readonly how: "costly" | "unusable"; readonly problem: string };

/** A message from the thread: the check has begun, or its result. */
export type FromWorker = { readonly kind: "began" } | ({ readonly kind: "ended" } & Ended);

/** The result of a check in the thread when the schema can be used. */
export type Trial = Extract<Ended, { readonly compileMs: number }>;

/** A schema that took too long or too much memory in the thread. A busy machine may have been the reason. */
export class CostlySchema extends Error {}

/** How long a schema and a value of common size may take, in milliseconds. */
const TRIAL_MS = 250;
/** The size of a call's largest arguments. A larger answer gets more time, because its check takes longer. */
const COMMON_LENGTH = 256 * 1024;
/** No check may take longer. */
const MAX_TRIAL_MS = 1_000;
/** For how long the thread may be late with its own deadline, which cannot interrupt a compilation. */
const GRACE_MS = 50;
/** How long a thread may take to load what it needs, in milliseconds. */
const START_MS = 10_000;
const TRIES = 2;
/** Schemas that wait for the thread; more are refused. */
const MAX_WAITING = 64;
const HEAP_MIB = 128;

// Not imported, so that no bundler includes the file below.
const { Worker } = process.getBuiltinModule("node:worker_threads");

/** bin/schema-worker.ts as `npm start` and the tests bundle it (bin/boot/build.mjs): a thread has no TypeScript loader. */
const WORKER = "dist/schema-worker.mjs";

/** The trial that waits for the thread's result. */
interface Running {
  readonly onMessage: (message: FromWorker) => void;
  readonly fail: (error: Error) => void;
}

/**
 * Checks values against untrusted schemas outside the serving thread: one thread, one value at a time. A thread that
 * does not answer in time is ended.
 */
export class SchemaTrials {
  readonly #file: string;
  #worker: WorkerThread | null = null;
  #running: Running | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** @param file what to run as the thread */
  constructor(file = join(process.cwd(), WORKER)) {
    this.#file = file;
  }

  /**
   * Compiles a schema and checks one value against it.
   *
   * @throws Error with one sentence when the schema cannot be used; `CostlySchema` when it took too long, twice
   * @throws AppError `overloaded` when too many wait; `internal` when there is no thread
   */
  async check(schema: JsonObject, value: Json): Promise<Trial> {
    if (this.#waiting >= MAX_WAITING) throw new AppError("overloaded", "Too many values wait to be checked.");
    this.#waiting += 1;
    const text = JSON.stringify(value);
    const turn = this.#last.then(() => this.#try({ schema, value: text, milliseconds: allowedMs(text.length) }));
    this.#last = turn.catch(() => {});
    try {
      const ended = await turn;
      if ("compileMs" in ended) return ended;
      throw ended.how === "costly" ? new CostlySchema(ended.problem) : new Error(ended.problem);
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Ends the thread; the next schema gets another. */
  close(): void {
    void this.#worker?.terminate();
    this.#worker = null;
  }

  async #try(given: ToWorker): Promise<Ended> {
    for (let tries = 1; ; tries += 1)
      try {
        const ended = await this.#ask(given);
        if (ended.how !== "costly" || tries === TRIES) return ended;
      } catch (error) {
        this.close();
        if (tries < TRIES) continue;
        if (error instanceof CostlySchema) throw error;
        log.error({ err: error }, "The thread that checks values against schemas broke.");
        throw new AppError("internal", "The tool's schema could not be tried.", { cause: error });
      }
  }

  #ask(given: ToWorker): Promise<Ended> {
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    worker.postMessage(given, []);
    return new Promise<Ended>((resolve, reject) => {
      const end = (settle: () => void) => {
        // Too late: the next trial may run already.
        if (this.#running !== running) return;
        clearTimeout(timer);
        this.#running = null;
        // An idle thread does not keep the process alive.
        worker.unref();
        settle();
      };
      const fail = (error: Error) => end(() => reject(error));
      let timer = setTimeout(() => fail(new Error(`It was not ready after ${START_MS} ms.`)), START_MS);
      const onMessage = (message: FromWorker) => {
        if (message.kind === "ended") return end(() => resolve(message));
        clearTimeout(timer);
        const allowed = given.milliseconds;
        const tooLong = () => fail(new CostlySchema(`the schema takes longer than ${allowed} ms`));
        // Reads an answer that arrived while this thread was busy before it reports a timeout.
        timer = setTimeout(() => setImmediate(tooLong), allowed + GRACE_MS);
      };
      const running = { onMessage, fail };
      this.#running = running;
    });
  }

  #start(): WorkerThread {
    const worker = new Worker(this.#file, {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    });
    const current = () => (this.#worker === worker ? this.#running : null);
    worker.on("message", (message: FromWorker) => current()?.onMessage(message));
    worker.on("error", (error: NodeJS.ErrnoException) => {
      const full = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      current()?.fail(full ? new CostlySchema(`the schema takes more than ${HEAP_MIB} MiB`) : error);
    });
    worker.on("exit", (code) => {
      current()?.fail(new Error(`It ended with code ${code}.`));
      if (this.#worker === worker) this.#worker = null;
    });
    return worker;
  }
}

function allowedMs(length: number): number {
  return Math.min(MAX_TRIAL_MS, TRIAL_MS * Math.max(1, Math.ceil(length / COMMON_LENGTH)));
}

/** The trials of this process, which has one thread for schemas. */
export const sharedSchemaTrials = singleton("SchemaTrials", () => new SchemaTrials());
