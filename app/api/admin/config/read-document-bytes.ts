import { AppError } from "@/lib/errors";
import { readBytes, requireUtf8 } from "@/lib/http/body";
import { DOCUMENT_LIMITS } from "@/lib/contracts/changes/document-limits";
import type { Role } from "@/lib/resources/permissions";

/** The body of a configuration document: JSON or YAML, as large as the role may send. */
export async function readDocumentBytes(request: Request, role: Role): Promise<Uint8Array> {
  const stated = request.headers.get("content-type")?.toLowerCase() ?? "";
  const type = stated.split(";")[0]?.trim() ?? "";
  if (!/(^|[/+-])(json|yaml|yml)$/.test(type) && type !== "text/plain")
    throw new AppError("unsupported_media_type", "Send the document as `application/yaml` or `application/json`.");
  requireUtf8(stated);
  return readBytes(request, DOCUMENT_LIMITS[role].applied);
}
