import { changePassword } from "@/lib/auth/people/change-password";
import { clientAddress } from "@/lib/auth/client-address";
import { sessionCookie } from "@/lib/auth/people/session";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { passwordChange } from "@/lib/contracts/people/password-change";

// PUT /api/admin/me/password: one's own password. Every session ends; this browser gets a new one.
export const PUT = route({
  authenticate: user("configuration:read"),
  body: passwordChange,
  respond: async ({ caller, body, request }) => {
    const changed = await changePassword(caller, body, clientAddress(request.headers), Date.now());
    return new Response(null, { status: 204, headers: { "set-cookie": await sessionCookie(changed) } });
  },
});
