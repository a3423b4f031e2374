import { exportRoute } from "@/app/api/admin/exports/export-route";
import { EXPORTED_LISTS } from "@/lib/contracts/changes/exported-lists";
import { listSecrets } from "@/lib/store/config/secrets";

// GET /api/admin/exports/secrets: names of secrets and their uses, never a value.
export const GET = exportRoute("secrets", EXPORTED_LISTS.secrets, (query) => listSecrets(query));
