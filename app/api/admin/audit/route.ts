import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { auditQuery } from "@/lib/contracts/log/audit-trail";
import { listAuditTrail } from "@/lib/store/audit/audit-trail";

// GET /api/admin/audit: audit events and changes of the configuration in one list, newest first.
export const GET = route({
  authenticate: user("audit:read"),
  query: auditQuery,
  respond: async ({ caller, query }) => listAuditTrail(query, caller.role),
});
