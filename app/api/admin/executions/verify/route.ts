import { adminRoute } from "@/app/api/admin/admin-route";
import { announceDamagedCheckpoints, announceDefects } from "@/lib/audit/seal/alarm";
import { isDamaged, readCheckpoints } from "@/lib/audit/seal/checkpoint";
import { verifyLog } from "@/lib/audit/verify/verify";
import { LOG_OPERATIONS } from "@/lib/contracts/operations/log-operations";

export const GET = adminRoute(LOG_OPERATIONS.verify_executions, async () => {
  const checkpoints = await readCheckpoints().catch(async (error: unknown) => {
    if (isDamaged(error)) await announceDamagedCheckpoints(new Date());
    throw error;
  });
  const report = await verifyLog({ checkpoints });
  await announceDefects(report);
  return report;
});
