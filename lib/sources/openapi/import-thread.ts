import { AppError } from "@/lib/errors";
import type { ToolInput } from "@/lib/resources/tool";
import type { Imported } from "@/lib/sources/openapi/import-openapi";
import type { DocumentInput, DocumentPart } from "@/lib/sources/openapi/read-in-parts";
import { runInThread, ThreadOverrun } from "@/lib/threads/run-in-thread";

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

/**
 * Reads a document (see `readOpenApi`, `importOpenApi`) in a thread, so that no document holds up the process.
 *
 * @throws AppError `invalid_request` that says what is wrong with the document; `overloaded`
 */
export async function importInThread(input: DocumentInput, { progress, take }: Listening): Promise<ReadImport> {
  try {
    return await runInThread<ReadImport, DocumentPart>({
      job: "openapi",
      input,
      transfer: owned(input.document),
      deadlineMs: LONGEST_MS,
      heapMib: HEAP_MIB,
      take: (part) => (part.kind === "tools" ? take(part.tools) : progress(part.done, part.total)),
    });
  } catch (cause) {
    if (!(cause instanceof ThreadOverrun)) throw cause;
    throw new AppError("invalid_request", "The document takes too long or too much memory to read.", { cause });
  }
}

/** Memory that is the document's alone is handed over and not copied; a small document lies among others. */
function owned(document: DocumentInput["document"]): ArrayBuffer[] {
  if (typeof document === "string" || document.byteLength < document.buffer.byteLength) return [];
  return [document.buffer as ArrayBuffer];
}
