import { exportRoute } from "@/app/api/admin/exports/export-route";
import { listProfiles } from "@/lib/admin/profile-drift";

// GET /api/admin/exports/profiles: the profiles that the code defines.
export const GET = exportRoute("profiles", (query) => listProfiles(query));
