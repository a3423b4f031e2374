import { adminRoute } from "@/app/api/admin/admin-route";
import { clientAddress } from "@/lib/auth/client-address";
import { changePassword } from "@/lib/auth/people/change-password";
import { sessionCookie } from "@/lib/auth/people/session";
import { IDENTITY_OPERATIONS } from "@/lib/contracts/operations/identity-operations";

export const PUT = adminRoute(IDENTITY_OPERATIONS.change_password, async ({ caller, body, request }) => {
  const changed = await changePassword(caller, body, clientAddress(request.headers), Date.now());
  return new Response(null, { status: 204, headers: { "set-cookie": await sessionCookie(changed) } });
});
