import type { ResourceName } from "@/lib/resources/index";
import type { Warning } from "@/lib/contracts/changes/row-plan";
import { saveWithAssertions } from "@/lib/store/save/row-plan";

/** Answers a row. Its ETag, which `If-Match` expects, is the revision that last wrote the row. */
export function withETag(
  row: { readonly revision: number; readonly warnings?: readonly Warning[] },
  status = 200,
): Response {
  return Response.json(row, { status, headers: { etag: `"${row.revision}"` } });
}

/** Saves a row and answers it, with a warning for each assertion that fails after the save. */
export async function saveAndAnswer(
  resource: ResourceName,
  save: () => Promise<{ readonly revision: number }>,
  status = 200,
): Promise<Response> {
  const { saved: row, warnings } = await saveWithAssertions(resource, save);
  return withETag(warnings.length === 0 ? row : { ...row, warnings }, status);
}
