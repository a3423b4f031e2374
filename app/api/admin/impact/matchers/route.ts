import { VOLATILE } from "@/lib/audit/claims";
import { REDACTED } from "@/lib/audit/redact";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { matcherCountsInput } from "@/lib/resources/impact";
import { countMatching } from "@/lib/store/recent-callers";

// POST /api/admin/impact/matchers: how many recent callers each of a policy's conditions holds for.
export const POST = route({
  authenticate: user("configuration:read"),
  body: matcherCountsInput,
  respond: async ({ body }) => countMatching(body, { unkept: VOLATILE, mask: REDACTED }),
});
