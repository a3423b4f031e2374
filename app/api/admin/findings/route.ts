import { currentFindings } from "@/app/api/admin/findings/answer-findings";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { findingQuery } from "@/lib/contracts/decisions/finding";

// GET /api/admin/findings: what in the configuration is probably not meant, with witnesses.
export const GET = route({
  authenticate: user("configuration:read"),
  query: findingQuery,
  respond: async ({ query }) => currentFindings(query),
});
