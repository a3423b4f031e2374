import { adminRoute } from "@/app/api/admin/admin-route";
import { listProfiles } from "@/lib/admin/profile-drift";
import { IDENTITY_OPERATIONS } from "@/lib/contracts/operations/identity-operations";

export const GET = adminRoute(IDENTITY_OPERATIONS.list_profiles, async ({ query }) => listProfiles(query));
