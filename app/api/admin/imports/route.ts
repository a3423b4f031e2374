import { adminRoute } from "@/app/api/admin/admin-route";
import { DOCUMENT_LIMITS } from "@/lib/contracts/changes/document-limits";
import { IMPORT_OPERATIONS } from "@/lib/contracts/operations/import-operations";
import { readJsonBytes } from "@/lib/http/body";
import { outbound } from "@/lib/outbound/fetch";
import { startImport } from "@/lib/sources/import/import";
import { importBodyInThread } from "@/lib/sources/import/import-body-thread";

// A document may be larger than any other body, so the route reads the body itself.
export const POST = adminRoute(IMPORT_OPERATIONS.start_import, async ({ caller, request }) => {
  const body = await readJsonBytes(request, DOCUMENT_LIMITS[caller.role].applied);
  const { input, document } = await importBodyInThread(body, request.signal);
  const importInput = { ...input, ...(document !== null && { document }) };
  return { id: await startImport(caller.actor, importInput, outbound, undefined, caller.userId) };
});
