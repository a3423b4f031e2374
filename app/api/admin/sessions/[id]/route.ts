import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { can } from "@/lib/resources/permissions";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { getSession } from "@/lib/store/calls/sessions-list";

// GET /api/admin/sessions/{id}: one session; what it was told only for who may read bodies, and that is written down before it is answered.
export const GET = route({
  authenticate: user("executions:read"),
  params: z.object({ id: z.string().max(64) }),
  respond: async ({ caller, params, requestId }) => {
    const bodies = can(caller.role, "executions:bodies");
    const found = await getSession(params.id, { bodies, now: new Date() });
    if (bodies)
      await recordAuditEvent({ actor: caller.actor, action: "sessions.bodies", target: params.id, requestId });
    return found;
  },
});
