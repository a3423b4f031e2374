import { answerFindings } from "@/app/api/admin/findings/answer-findings";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { findingQuery } from "@/lib/resources/finding";
import { loadRecentClaims } from "@/lib/store/recent-claims";
import { currentSnapshot } from "@/lib/store/snapshot";

// GET /api/admin/findings: what in the configuration is probably not meant, with witnesses.
export const GET = route({
  authenticate: user("configuration:read"),
  query: findingQuery,
  respond: async ({ query }) => {
    const [{ index }, callers] = await Promise.all([currentSnapshot(), loadRecentClaims()]);
    return answerFindings(index, callers, Date.now(), query);
  },
});
