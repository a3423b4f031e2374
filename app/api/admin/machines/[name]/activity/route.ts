import { adminRoute } from "@/app/api/admin/admin-route";
import { loadMachineActivity } from "@/lib/admin/machine-activity";
import { LOG_OPERATIONS } from "@/lib/contracts/operations/log-operations";

export const GET = adminRoute(LOG_OPERATIONS.read_machine_activity, async ({ params: { name } }) =>
  loadMachineActivity(name, new Date()),
);
