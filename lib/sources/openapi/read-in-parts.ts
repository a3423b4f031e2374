import type { JsonObject } from "@/lib/access/model/configuration";
import type { Downloaded } from "@/lib/sources/openapi/download";
import { importOpenApi, type Imported, type ImportOptions } from "@/lib/sources/openapi/import-openapi";
import { readOpenApi } from "@/lib/sources/openapi/read-document";
import type { ToolInput } from "@/lib/resources/tool";
import { maskJson } from "@/lib/calls/credentials/mask";

/** A document as it came, and what to mask in it before anything is made of it. */
export interface DocumentInput extends Downloaded {
  readonly options: ImportOptions;
}

/** Some of the tools, in their order, or how far the reading is. */
export type DocumentPart =
  | { readonly kind: "progress"; readonly done: number; readonly total: number }
  | { readonly kind: "tools"; readonly tools: readonly ToolInput[] };

/** Tools that are handed over at once: the other side copies them between its own work. */
const AT_ONCE = 50;

/**
 * Reads an OpenAPI document and hands over its tools in lots. For a thread.
 *
 * @throws AppError `invalid_request` that says what is wrong with the document
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
