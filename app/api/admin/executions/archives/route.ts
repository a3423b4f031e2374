import { adminRoute } from "@/app/api/admin/admin-route";
import { archiveStorage } from "@/lib/audit/archive/archive-storage";
import { readLogMonths } from "@/lib/audit/archive/retention";
import { RETENTION_OPERATIONS } from "@/lib/contracts/operations/retention-operations";
import { AppError } from "@/lib/errors";
import { requestArchive } from "@/lib/store/audit/archivings";

export const GET = adminRoute(RETENTION_OPERATIONS.list_log_months, () => readLogMonths());

export const POST = adminRoute(RETENTION_OPERATIONS.archive_month, async ({ caller, body }) => {
  if (archiveStorage() === null)
    throw new AppError("conflict", "No archive location is set. Set ARCHIVE_DIR or ARCHIVE_URL.");
  await requestArchive(body.month, caller.actor, new Date());
  return { month: body.month };
});
