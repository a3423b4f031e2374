import { adminRoute } from "@/app/api/admin/admin-route";
import { acceptProfileDrift } from "@/lib/admin/profile-drift";
import { IDENTITY_OPERATIONS } from "@/lib/contracts/operations/identity-operations";

// POST /api/admin/profiles/{name}/drift/accept: shows the named definitions to the profile from now on.
export const POST = adminRoute(IDENTITY_OPERATIONS.accept_profile_drift, async ({ caller, params: { name }, body }) =>
  acceptProfileDrift(caller.actor, name, body),
);
