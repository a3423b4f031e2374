import { answerCallers } from "@/app/api/admin/preview/callers/answer-callers";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { callersInput } from "@/lib/contracts/decisions/callers";

// POST /api/admin/preview/callers: who can see a tool, a group or what a policy gives, and why.
export const POST = route({
  authenticate: user("configuration:read"),
  body: callersInput,
  respond: async ({ body }) => answerCallers(body, Date.now()),
});
