import { AppError } from "@/lib/errors";

/**
 * The version that a change is based on, from `If-Match: "7"` (weak and unquoted values are accepted).
 * @throws AppError `precondition_required` (428) without the header, `invalid_request` when it is no version
 */
export function requireVersion(request: Request): number {
  const header = request.headers.get("if-match");
  if (header === null)
    throw new AppError("precondition_required", "Send `If-Match` with the ETag of the version that you changed.");
  const [, digits] = /^(?:W\/)?"?(\d{1,15})"?$/.exec(header.trim()) ?? [];
  if (digits !== undefined) return Number(digits);
  throw new AppError("invalid_request", "`If-Match` is not a version of this row.", {
    errors: [{ path: "If-Match", message: 'send the ETag of the answer, such as "7"' }],
  });
}
