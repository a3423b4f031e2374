import { adminRoute } from "@/app/api/admin/admin-route";
import { listProfileDrift } from "@/lib/admin/profile-drift";
import { IDENTITY_OPERATIONS } from "@/lib/contracts/operations/identity-operations";

export const GET = adminRoute(IDENTITY_OPERATIONS.list_profile_drift, async ({ params: { name }, query }) =>
  listProfileDrift(name, query),
);
