import type { JsonObject } from "@/lib/access/model/configuration";
import { storable } from "@/lib/access/model/storable";
import type { Downloaded } from "@/lib/sources/openapi/download";
import { importOneByOne, type Imported, type ImportOptions } from "@/lib/sources/openapi/import-openapi";
import { readOpenApi } from "@/lib/sources/openapi/read-document";
import type { ToolInput } from "@/lib/resources/tool";
import { maskJson } from "@/lib/calls/credentials/mask";

/** A document before parsing, and the texts to mask in it first. */
export interface DocumentInput extends Omit<Downloaded, "unsent"> {
  readonly options: ImportOptions;
}

/** A batch of tools in their order, and how many of the document's operations are read with it. */
export interface DocumentPart {
  readonly tools: readonly ToolInput[];
  readonly done: number;
  readonly total: number;
}

/** Tools per batch. The receiving thread copies each batch between its other work. */
const BATCH_SIZE = 50;

/**
 * Reads an OpenAPI document and passes its tools on in batches. Makes the next batch while the receiver works on one. Runs
 * in a thread.
 *
 * @throws AppError `invalid_request` naming the document's problem
 */
export async function readOpenApiInParts(
  { document, hidden, options }: DocumentInput,
  hand: (part: DocumentPart) => Promise<void>,
): Promise<Omit<Imported, "tools">> {
  const read = readOpenApi(typeof document === "string" ? document : new TextDecoder().decode(document));
  const { operations, tools } = importOneByOne(maskJson(read, hidden) as JsonObject, options);
  let handed = Promise.resolve();
  let batch: ToolInput[] = [];
  for (let done = 0; ; done += 1) {
    const next = tools.next();
    if (batch.length === BATCH_SIZE || next.done === true) {
      await handed;
      // Texts were cut since the document was read: half of a surrogate pair may be left of an emoji.
      handed = hand({ tools: storable(batch), done, total: operations });
      batch = [];
    }
    if (next.done === true) {
      await handed;
      return storable(next.value);
    }
    if (next.value !== null) batch.push(next.value);
  }
}
