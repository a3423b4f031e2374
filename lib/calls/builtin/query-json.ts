import type { Worker as WorkerThread } from "node:worker_threads";
import type { Json } from "@/lib/access/model/configuration";

/** Bounds of one query: a few characters of JMESPath can ask for more than any machine has. */
const MAX_OUTPUT_CHARACTERS = 256 * 1024;
const TIMEOUT_MS = 3_000;
const HEAP_MIB = 64;
/** Each query runs in a new thread. */
const MAX_CONCURRENT = 4;

/** The result of a query, or one sentence why it failed. */
type QueryResult = { readonly result: Json } | { readonly problem: string };

// Not imported, so that no bundler takes the text below for the path of a file.
const { Worker } = process.getBuiltinModule("node:worker_threads");

const SOURCE = `
const { parentPort, workerData } = require("node:worker_threads");
const { search } = require("@jmespath-community/jmespath");
const { document, expression, most } = workerData;
let answer;
try {
  const text = JSON.stringify(search(JSON.parse(document), expression) ?? null);
  answer = text.length > most ? { large: true } : { text };
} catch (error) {
  answer = { message: String(error && error.message).slice(0, 300) };
}
parentPort.postMessage(answer);
`;

type WorkerMessage = { readonly text?: string; readonly large?: true; readonly message?: string };

let running = 0;

/**
 * Evaluates a JMESPath expression in a thread with a small heap and a deadline: an expression that doubles its
 * result at every step ends that thread, never the process. Never rejects.
 */
export async function queryJson(document: Json, expression: string, signal: AbortSignal): Promise<QueryResult> {
  if (running >= MAX_CONCURRENT) return { problem: "Too many queries run at once: try again." };
  const worker = new Worker(SOURCE, {
    eval: true,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB, maxYoungGenerationSizeMb: 8 },
    workerData: { document: JSON.stringify(document), expression, most: MAX_OUTPUT_CHARACTERS },
  });
  running += 1;
  try {
    return await answerOf(worker, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]));
  } finally {
    await worker.terminate();
    running -= 1;
  }
}

function answerOf(worker: WorkerThread, stop: AbortSignal): Promise<QueryResult> {
  return new Promise((resolve) => {
    const tooMuch = () => resolve({ problem: "The expression takes too long or needs too much memory: ask for less." });
    worker.once("message", (answer: WorkerMessage) => resolve(toResult(answer)));
    worker.once("error", tooMuch).once("exit", tooMuch);
    stop.addEventListener("abort", tooMuch, { once: true });
    if (stop.aborted) tooMuch();
  });
}

function toResult({ text, large, message }: WorkerMessage): QueryResult {
  if (large === true) return { problem: "The result is larger than 256 KiB: ask for less." };
  if (text === undefined) return { problem: `The expression does not work: ${message ?? "it cannot be evaluated"}` };
  return { result: JSON.parse(text) as Json };
}
