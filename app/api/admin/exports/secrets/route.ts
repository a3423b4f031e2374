import { exportRoute } from "@/app/api/admin/exports/export-route";
import { listSecrets } from "@/lib/store/config/secrets";

// GET /api/admin/exports/secrets: names of secrets and their uses, never a value.
export const GET = exportRoute("secrets", (query) => listSecrets(query));
