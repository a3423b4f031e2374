import { exportRoute } from "@/app/api/admin/exports/export-route";
import { EXPORTED_LISTS } from "@/lib/contracts/changes/exported-lists";
import { listProfiles } from "@/lib/admin/profile-drift";

// GET /api/admin/exports/profiles: the ceilings that the code defines.
export const GET = exportRoute("profiles", EXPORTED_LISTS.profiles, (query) => listProfiles(query));
