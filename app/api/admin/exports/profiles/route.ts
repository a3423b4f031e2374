import { exportRoute } from "@/app/api/admin/exports/export-route";
import { listProfiles } from "@/lib/admin/profile-drift";

export const GET = exportRoute("profiles", (query) => listProfiles(query));
