import { adminRoute } from "@/app/api/admin/admin-route";
import { IMPORT_OPERATIONS } from "@/lib/contracts/operations/import-operations";
import { importApplying } from "@/lib/contracts/sources/import-job";
import { startApplying } from "@/lib/sources/import/apply-import";
import { getImportJob } from "@/lib/store/sources/import-jobs";

export const POST = adminRoute(IMPORT_OPERATIONS.apply_import, async ({ caller, params, body }) => {
  const applied = await startApplying(caller.actor, params.id, body);
  if (applied !== null) return applied;
  return Response.json(importApplying.parse(await getImportJob(params.id)), { status: 202 });
});
