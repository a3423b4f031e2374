import { AppError } from "@/lib/errors";
import { readBytes } from "@/lib/http/body";
import { MOST_DOCUMENT_BYTES } from "@/lib/resources/import-job";

/** The body of a configuration document as text, JSON or YAML as its content type says. */
export async function readDocumentText(request: Request): Promise<string> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (!/(^|[/+-])(json|yaml|yml)$/.test(type) && type !== "text/plain")
    throw new AppError("unsupported_media_type", "Send the document as `application/yaml` or `application/json`.");
  const bytes = await readBytes(request, MOST_DOCUMENT_BYTES);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError("invalid_request", "The document is not UTF-8.", { cause });
  }
}
