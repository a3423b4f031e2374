import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { approvalAnswer } from "@/lib/contracts/log/approval";
import { answerApproval } from "@/lib/calls/approvals/approvals";

// POST /api/admin/approvals/{id}/refuse: the call ends, and its caller is told the reason.
export const POST = route({
  authenticate: user("calls:approve"),
  params: z.object({ id: z.string().max(64) }),
  body: approvalAnswer,
  respond: async ({ caller, params: { id }, body: { reason }, requestId }) =>
    answerApproval(id, "refuse", { actor: caller.actor, reason, requestId }),
});
