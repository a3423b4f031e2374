import { isDeeper, isObject } from "@/lib/access/model/json";
import { dotted, flawIn } from "@/lib/access/model/storable";
import { parseJson } from "@/lib/config/text";
import { AppError, type FieldProblem } from "@/lib/errors";
import { fieldProblems } from "@/lib/http/problem";
import { importInput, MAX_DOCUMENT_DEPTH, type ImportInput } from "@/lib/contracts/sources/import-job";

/** The deepest nesting of the fields beside the document. */
const MAX_DEPTH = 64;

/** The body of `POST imports` with its document as bytes. */
export interface ReadImportBody {
  readonly input: Omit<ImportInput, "document">;
  /** JSON or YAML text in UTF-8; `null` = absent. */
  readonly document: Uint8Array<ArrayBuffer> | null;
}

/**
 * Parses the body of `POST imports`, which may contain a large document. Runs in a thread.
 *
 * @throws AppError `invalid_request`
 */
export async function readImportBody({ body }: { readonly body: Uint8Array }): Promise<ReadImportBody> {
  const value = parseBody(body);
  // Before the schema, which recurses into the document.
  if (isObject(value) && isDeeper(value["document"] ?? null, MAX_DOCUMENT_DEPTH))
    throw refused("The document cannot be read.", [
      { path: "document", message: `nested deeper than ${MAX_DOCUMENT_DEPTH} levels` },
    ]);
  const parsed = importInput.safeParse(value);
  if (!parsed.success) throw refused("The body is not valid.", fieldProblems(parsed.error));
  const { document, ...input } = parsed.data;
  const flaw = flawIn(input, MAX_DEPTH);
  if (flaw !== null)
    throw refused("The body contains text that cannot be stored.", [
      { path: dotted(flaw.keys), message: flaw.message },
    ]);
  if (document === undefined) return { input, document: null };
  const text = typeof document === "string" ? document : JSON.stringify(document);
  return { input, document: new TextEncoder().encode(text) };
}

function parseBody(body: Uint8Array): unknown {
  const json = parseJson(decoded(body));
  if (json === null) throw notJson("the body is not a JSON object");
  if ("value" in json) return json.value;
  throw notJson(`${json.message}, at line ${json.line}, column ${json.column}`);
}

function decoded(body: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw notJson("the body is not UTF-8");
  }
}

function notJson(message: string): AppError {
  return refused("The body is not valid JSON.", [{ path: "", message }]);
}

function refused(message: string, errors: readonly FieldProblem[]): AppError {
  return new AppError("invalid_request", message, { errors });
}
