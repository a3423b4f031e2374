import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { getAuditEntry } from "@/lib/store/audit/audit-trail";

// GET /api/admin/audit/{id}: one entry of the audit trail.
export const GET = route({
  authenticate: user("audit:read"),
  params: z.object({ id: z.string().max(64) }),
  respond: async ({ caller, params }) => getAuditEntry(params.id, caller.role),
});
