import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { readApproval } from "@/lib/calls/approvals/approvals";

// GET /api/admin/approvals/{id}: one call that waits, with what an approver has to see; that is written down first.
export const GET = route({
  authenticate: user("executions:read"),
  params: z.object({ id: z.string().max(64) }),
  respond: async ({ caller, params: { id }, requestId }) => readApproval(id, caller.actor, requestId),
});
