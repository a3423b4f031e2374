import type { Outbound } from "@/lib/outbound/fetch";
import type { ImportRequest } from "@/lib/sources/import/import";
import { downloadDocument, type Downloaded } from "@/lib/sources/openapi/download";
import type { ImportOptions } from "@/lib/sources/openapi/import-openapi";
import { importInThread, type ReadImport, type TakeTools } from "@/lib/sources/openapi/import-thread";
import type { ReadSource } from "@/lib/sources/import/reading";
import { noteImportProgress } from "@/lib/store/sources/import-jobs";

/** How often an import's progress is written down, in milliseconds. */
const NOTE_MS = 250;

/** One reading of a document. */
export interface DocumentReading {
  /** The import's id: its progress is written down. */
  readonly id: string;
  /** Text or parsed; `null` = fetched from `options.url`. */
  readonly document: NonNullable<ImportRequest["document"]> | null;
  readonly options: ImportOptions;
  /** Whose credentials the document is fetched with. */
  readonly source: ReadSource;
  readonly send: Outbound;
  readonly take: TakeTools;
}

/**
 * What a document says, fetched or given, read in a thread of its own.
 *
 * @throws AppError a sentence for the admin
 */
export async function readOpenApiTools(reading: DocumentReading): Promise<ReadImport> {
  const { id, document, options, source, send, take } = reading;
  const given = document === null ? await downloadDocument(options.url ?? "", source, send) : asGiven(document);
  let noted = 0;
  const progress = (done: number, total: number) => {
    const now = performance.now();
    if (now - noted < NOTE_MS) return;
    noted = now;
    // Only a report: the import goes on without it.
    void noteImportProgress(id, done, total).catch(() => {});
  };
  return importInThread({ ...given, options }, { progress, take });
}

function asGiven(document: NonNullable<DocumentReading["document"]>): Downloaded {
  const isParsed = typeof document !== "string" && !(document instanceof Uint8Array);
  return { document: isParsed ? JSON.stringify(document) : document, hidden: [] };
}
