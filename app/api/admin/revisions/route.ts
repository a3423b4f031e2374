import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { revisionQuery } from "@/lib/contracts/changes/revision";
import { listRevisions } from "@/lib/store/save/revisions";

// GET /api/admin/revisions: every saved change of the configuration, newest first.
export const GET = route({
  authenticate: user("configuration:read"),
  query: revisionQuery,
  respond: async ({ query }) => listRevisions(query),
});
