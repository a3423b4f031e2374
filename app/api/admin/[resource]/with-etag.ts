import type { ResourceName } from "@/lib/resources/index";
import type { Warning } from "@/lib/contracts/changes/row-plan";
import { failingAssertions } from "@/lib/store/save/row-plan";

/** Answers a row. Its ETag, which `If-Match` expects, is the revision that last wrote the row. */
export function withETag(
  row: { readonly revision: number; readonly warnings?: readonly Warning[] },
  status = 200,
): Response {
  return Response.json(row, { status, headers: { etag: `"${row.revision}"` } });
}

/** Answers a saved row. Its `warnings` name the assertions that fail since. */
export async function savedAnswer(
  resource: ResourceName,
  row: { readonly revision: number },
  status = 200,
): Promise<Response> {
  const warnings = await failingAssertions(resource);
  return withETag(warnings.length === 0 ? row : { ...row, warnings }, status);
}
