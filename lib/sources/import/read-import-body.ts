import { isDeeper, isObject } from "@/lib/access/model/json";
import { dotted, flawIn } from "@/lib/access/model/storable";
import { AppError, type FieldProblem } from "@/lib/errors";
import { repeatedKeyOf } from "@/lib/http/json-bounds";
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
  const value = parseJson(body);
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

function parseJson(body: Uint8Array): unknown {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    value = JSON.parse(text);
  } catch (cause) {
    const message = cause instanceof SyntaxError ? cause.message : "the body is not UTF-8";
    throw refused("The body is not valid JSON.", [{ path: "", message }]);
  }
  const repeated = repeatedKeyOf(text);
  if (repeated === null) return value;
  const { key, line, column } = repeated;
  const message = `the key \`${key.slice(0, 100)}\` occurs twice, at line ${line}, column ${column}`;
  throw refused("The body repeats a key.", [{ path: "", message }]);
}

function refused(message: string, errors: readonly FieldProblem[]): AppError {
  return new AppError("invalid_request", message, { errors });
}
