import type { Outbound } from "@/lib/outbound/fetch";
import type { ImportRequest } from "@/lib/sources/import/import";
import { downloadDocument, type Downloaded } from "@/lib/sources/openapi/download";
import type { ImportOptions } from "@/lib/sources/openapi/import-openapi";
import { importInThread, type ReadImport, type TakeTools } from "@/lib/sources/openapi/import-thread";
import type { ReadSource } from "@/lib/sources/import/reading";
import { noteImportProgress } from "@/lib/store/sources/import-jobs";

/** Milliseconds between two stored progress reports. */
const REPORT_MS = 250;

interface DocumentReading {
  /** The import that stores the progress. */
  readonly id: string;
  /** Text, bytes or parsed; `null` = fetch it from `options.url`. */
  readonly document: NonNullable<ImportRequest["document"]> | null;
  readonly options: ImportOptions;
  /** The source whose credentials fetch the document. */
  readonly source: ReadSource;
  /** The id of the person who reads, or `null`. */
  readonly person: string | null;
  readonly send: Outbound;
  readonly take: TakeTools;
}

/**
 * Reads a given document, or fetches it, in a separate thread.
 *
 * @returns also why the source's credentials were not sent; `null` = they were sent, if there are any
 * @throws AppError a sentence for the admin
 */
export async function readOpenApiTools(reading: DocumentReading): Promise<ReadImport & Pick<Downloaded, "unsent">> {
  const { id, document, options, source, person, send, take } = reading;
  const { unsent, ...given } =
    document === null ? await downloadDocument(options.url ?? "", source, send, person) : asGiven(document);
  let noted = 0;
  const progress = (done: number, total: number) => {
    const now = performance.now();
    if (now - noted < REPORT_MS) return;
    noted = now;
    // The import does not depend on its progress reports.
    void noteImportProgress(id, done, total).catch(() => {});
  };
  return { ...(await importInThread({ ...given, options }, { progress, take })), unsent };
}

function asGiven(document: NonNullable<DocumentReading["document"]>): Downloaded {
  const isParsed = typeof document !== "string" && !(document instanceof Uint8Array);
  return { document: isParsed ? JSON.stringify(document) : document, hidden: [], unsent: null };
}
