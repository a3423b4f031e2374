import { AppError } from "@/lib/errors";
import { DOCUMENT_LIMITS } from "@/lib/contracts/changes/document-limits";
import type { Role } from "@/lib/resources/permissions";

/** Refuses a draft configuration that is larger than the role's limit. @throws AppError `payload_too_large` */
export function requireDraftSize(config: unknown, role: Role): void {
  if (config === undefined) return;
  const most = DOCUMENT_LIMITS[role].draft;
  const text = typeof config === "string" ? config : JSON.stringify(config);
  if (Buffer.byteLength(text) <= most) return;
  throw new AppError("payload_too_large", `The configuration document is larger than ${most} bytes.`);
}
