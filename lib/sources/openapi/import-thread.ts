import type { ToolInput } from "@/lib/resources/tool";
import type { Imported } from "@/lib/sources/openapi/import-openapi";
import type { DocumentInput, DocumentPart } from "@/lib/sources/openapi/read-in-parts";
import { ownedBuffer, runInThread } from "@/lib/threads/run-in-thread";

/** The result of a reading, without the tools. */
export type ReadImport = Omit<Imported, "tools">;

/** Receives a batch of tools, in the order of the source. */
export type TakeTools = (tools: readonly ToolInput[]) => Promise<void>;

/** The callbacks of a reading. */
interface Listening {
  readonly progress: (done: number, total: number) => void;
  /** The thread continues after a batch is taken, so that few tools wait in memory. */
  readonly take: TakeTools;
}

/** Limits of one reading. Real documents of 10 MB take seconds and a few hundred megabytes. */
const TIMEOUT_MS = 120_000;
const HEAP_MIB = 1024;

/**
 * Reads a document (see `readOpenApi`, `importOpenApi`) in a thread, so that no document blocks the process.
 *
 * @throws AppError `invalid_request` naming the document's problem; `overloaded`
 */
export async function importInThread(input: DocumentInput, { progress, take }: Listening): Promise<ReadImport> {
  return runInThread<ReadImport, DocumentPart>({
    job: "openapi",
    input,
    transfer: ownedBuffer(input.document),
    deadlineMs: TIMEOUT_MS,
    // With its own heap limit, a thread reads one document and ends. So a hostile document cannot alter how the next is read.
    heapMib: HEAP_MIB,
    overrun: ["invalid_request", "Reading the document takes too much time or memory: use a smaller one."],
    take: async ({ tools, done, total }) => {
      await take(tools);
      progress(done, total);
    },
  });
}
