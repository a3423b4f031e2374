import { adminRoute } from "@/app/api/admin/admin-route";
import { resetPasswordOf } from "@/lib/auth/people/reset-password";
import { IDENTITY_OPERATIONS } from "@/lib/contracts/operations/identity-operations";

export const POST = adminRoute(IDENTITY_OPERATIONS.reset_password, async ({ caller, params: { name } }) => ({
  password: await resetPasswordOf(caller, name),
}));
