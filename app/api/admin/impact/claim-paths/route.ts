import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { can } from "@/lib/resources/permissions";
import { listClaimPaths } from "@/lib/admin/recent-callers";

// GET /api/admin/impact/claim-paths: where recent callers carried claims, for the editor of policies; no values.
export const GET = route({
  authenticate: user("configuration:read"),
  respond: async ({ caller }) => listClaimPaths({ coarse: !can(caller.role, "executions:bodies") }),
});
