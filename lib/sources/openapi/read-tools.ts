import { AppError } from "@/lib/errors";
import { OUTBOUND_LIMITS, type Outbound } from "@/lib/outbound/fetch";
import type { ImportInput } from "@/lib/resources/import-job";
import type { Imported, ImportOptions } from "@/lib/sources/openapi/import-openapi";
import { importInThread } from "@/lib/sources/openapi/import-thread";
import { noteImportProgress } from "@/lib/store/import-jobs";

/** How often an import's progress is written down, in milliseconds. */
const NOTE_MS = 250;

/** One reading of a document. */
export interface DocumentReading {
  /** The import's id: its progress is written down. */
  readonly id: string;
  /** Text or parsed; `null` = fetched from `options.url`. */
  readonly document: NonNullable<ImportInput["document"]> | null;
  readonly options: Omit<ImportOptions, "progress">;
  readonly send: Outbound;
}

/**
 * What a document says, fetched or given, read in a thread of its own.
 *
 * @throws AppError a sentence for the admin
 */
export async function readOpenApiTools({ id, document, options, send }: DocumentReading): Promise<Imported> {
  const given = document ?? (await download(options.url ?? "", send));
  const text = typeof given === "string" || given instanceof Uint8Array ? given : JSON.stringify(given);
  let noted = 0;
  return importInThread({ document: text, options }, (done, total) => {
    const now = performance.now();
    if (now - noted < NOTE_MS) return;
    noted = now;
    // Only a report: the import goes on without it.
    void noteImportProgress(id, done, total).catch(() => {});
  });
}

async function download(url: string, send: Outbound): Promise<Uint8Array> {
  const answer = await send({
    url,
    headers: { accept: "application/json, application/yaml, */*;q=0.5" },
    maxBytes: OUTBOUND_LIMITS.documentBytes,
  });
  if (answer.status >= 300 && answer.status < 400)
    throw new AppError(
      "upstream_error",
      `The address answers with a redirect (${answer.status}): give the final address.`,
    );
  if (answer.status !== 200)
    throw new AppError("upstream_error", `The address answered with status ${answer.status} instead of a document.`);
  return answer.body;
}
