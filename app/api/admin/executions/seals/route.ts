import { adminRoute } from "@/app/api/admin/admin-route";
import { readSealStatus } from "@/lib/audit/seal/status";
import { LOG_OPERATIONS } from "@/lib/contracts/operations/log-operations";

// GET /api/admin/executions/seals: the last seal, the number of unsealed rows, and the last checkpoint.
export const GET = adminRoute(LOG_OPERATIONS.read_seals, () => readSealStatus());
