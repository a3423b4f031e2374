import { adminRoute } from "@/app/api/admin/admin-route";
import { acceptProfileDrift } from "@/lib/admin/profile-drift";
import { IDENTITY_OPERATIONS } from "@/lib/contracts/operations/identity-operations";

export const POST = adminRoute(IDENTITY_OPERATIONS.accept_profile_drift, async ({ caller, params: { name }, body }) =>
  acceptProfileDrift(caller.actor, name, body),
);
