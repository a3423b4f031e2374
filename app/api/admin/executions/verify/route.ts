import { adminRoute } from "@/app/api/admin/admin-route";
import { announceDefects } from "@/lib/audit/seal/alarm";
import { readCheckpoints } from "@/lib/audit/seal/checkpoint";
import { verifyLog } from "@/lib/audit/verify/verify";
import { LOG_OPERATIONS } from "@/lib/contracts/operations/log-operations";

export const GET = adminRoute(LOG_OPERATIONS.verify_executions, async () => {
  const report = await verifyLog({ checkpoints: await readCheckpoints() });
  await announceDefects(report);
  return report;
});
