import { exportRoute } from "@/app/api/admin/exports/export-route";
import { listSecrets } from "@/lib/store/config/secrets";

export const GET = exportRoute("secrets", (query) => listSecrets(query));
