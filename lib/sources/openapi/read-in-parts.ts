import type { JsonObject } from "@/lib/access/model/configuration";
import type { Downloaded } from "@/lib/sources/openapi/download";
import { importOpenApi, type Imported, type ImportOptions } from "@/lib/sources/openapi/import-openapi";
import { readOpenApi } from "@/lib/sources/openapi/read-document";
import type { ToolInput } from "@/lib/resources/tool";
import { maskJson } from "@/lib/calls/credentials/mask";

/** A document before parsing, and the texts to mask in it first. */
export interface DocumentInput extends Downloaded {
  readonly options: ImportOptions;
}

/** A batch of tools in their order, or the progress. */
export type DocumentPart =
  | { readonly kind: "progress"; readonly done: number; readonly total: number }
  | { readonly kind: "tools"; readonly tools: readonly ToolInput[] };

/** Tools per batch. The receiving thread copies each batch between its other work. */
const AT_ONCE = 50;

/**
 * Reads an OpenAPI document and passes its tools on in batches. Runs in a thread.
 *
 * @throws AppError `invalid_request` naming the document's problem
 */
export async function readOpenApiInParts(
  { document, hidden, options }: DocumentInput,
  hand: (part: DocumentPart) => Promise<void>,
): Promise<Omit<Imported, "tools">> {
  const read = readOpenApi(typeof document === "string" ? document : new TextDecoder().decode(document));
  const { tools, ...rest } = importOpenApi(maskJson(read, hidden) as JsonObject, options);
  for (let at = 0; at < tools.length; at += AT_ONCE) {
    await hand({ kind: "tools", tools: tools.slice(at, at + AT_ONCE) });
    await hand({ kind: "progress", done: at, total: tools.length });
  }
  return rest;
}
