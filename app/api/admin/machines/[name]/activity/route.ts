import { adminRoute } from "@/app/api/admin/admin-route";
import { loadMachineActivity } from "@/lib/admin/machine-activity";
import { LOG_OPERATIONS } from "@/lib/contracts/operations/log-operations";

// GET /api/admin/machines/{name}/activity: live sessions by state, and the transitions of the last 24 hours.
export const GET = adminRoute(LOG_OPERATIONS.read_machine_activity, async ({ params: { name } }) =>
  loadMachineActivity(name, new Date()),
);
