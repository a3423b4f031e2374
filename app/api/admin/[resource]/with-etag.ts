import type { ResourceName } from "@/lib/resources/index";
import type { Warning } from "@/lib/contracts/changes/row-plan";
import { redAfterSave } from "@/lib/store/save/row-plan";

/** A row with the ETag that `If-Match` wants back: the revision that last wrote it. */
export function withETag(
  row: { readonly revision: number; readonly warnings?: readonly Warning[] },
  status = 200,
): Response {
  return Response.json(row, { status, headers: { etag: `"${row.revision}"` } });
}

/** The same for a row that was saved: assertions that do not hold any more come with it as `warnings`. */
export async function savedAnswer(
  resource: ResourceName,
  row: { readonly revision: number },
  status = 200,
): Promise<Response> {
  const warnings = await redAfterSave(resource);
  return withETag(warnings.length === 0 ? row : { ...row, warnings }, status);
}
