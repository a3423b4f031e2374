import { answerFindings } from "@/app/api/admin/findings/answer-findings";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { findingQuery } from "@/lib/resources/finding";
import { MOST_CALLERS } from "@/lib/resources/impact";
import { loadRecentCallers } from "@/lib/store/impact-log";
import { currentSnapshot } from "@/lib/store/snapshot";

// GET /api/admin/findings: what in the configuration is probably not meant, with witnesses.
export const GET = route({
  authenticate: user("configuration:read"),
  query: findingQuery,
  respond: async ({ query }) => {
    const [{ index }, seen] = await Promise.all([currentSnapshot(), loadRecentCallers()]);
    const callers = seen.slice(0, MOST_CALLERS).map(({ claims }) => claims);
    return answerFindings(index, callers, Date.now(), query);
  },
});
