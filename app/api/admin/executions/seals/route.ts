import { adminRoute } from "@/app/api/admin/admin-route";
import { readSealStatus } from "@/lib/audit/seal/status";
import { LOG_OPERATIONS } from "@/lib/contracts/operations/log-operations";

export const GET = adminRoute(LOG_OPERATIONS.read_seals, () => readSealStatus());
