import { adminRoute } from "@/app/api/admin/admin-route";
import { answerRequest } from "@/lib/admin/connection-requests";
import { requireBeganHere } from "@/lib/auth/people/request-cookie";
import { IDENTITY_OPERATIONS } from "@/lib/contracts/operations/identity-operations";

export const POST = adminRoute(
  IDENTITY_OPERATIONS.answer_connection_request,
  async ({ caller, params: { id }, body: { agent }, request }) => {
    requireBeganHere(request, id);
    return { location: await answerRequest(id, caller.userId, agent) };
  },
);
