import { AppError } from "@/lib/errors";
import { readBytes } from "@/lib/http/body";

/** A whole configuration may be larger than any other body. */
const MOST_BYTES = 32 * 1024 * 1024;

/** The body of a configuration document as text, JSON or YAML as its content type says. */
export async function readDocumentText(request: Request): Promise<string> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (!/(^|[/+-])(json|yaml|yml)$/.test(type) && type !== "text/plain")
    throw new AppError("unsupported_media_type", "Send the document as `application/yaml` or `application/json`.");
  const bytes = await readBytes(request, MOST_BYTES);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError("invalid_request", "The document is not UTF-8.", { cause });
  }
}
