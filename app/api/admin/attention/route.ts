import { adminRoute } from "@/app/api/admin/admin-route";
import { readAttention } from "@/lib/admin/attention";
import { LOG_OPERATIONS } from "@/lib/contracts/operations/log-operations";

export const GET = adminRoute(LOG_OPERATIONS.read_attention, async ({ caller }) =>
  readAttention(caller.role, Date.now()),
);
