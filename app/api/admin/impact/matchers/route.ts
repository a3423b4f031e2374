import { VOLATILE } from "@/lib/audit/record/claims";
import { REDACTED } from "@/lib/audit/record/redact";
import { admitGuesses } from "@/lib/auth/people/guesses";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { matcherCountsInput } from "@/lib/contracts/decisions/impact";
import { countMatching } from "@/lib/admin/recent-callers";

// POST /api/admin/impact/matchers: how many recent callers each of a policy's conditions holds for. A count of a condition
// that the caller chooses tells claims: who may not read bodies gets coarse ones.
export const POST = route({
  authenticate: user("configuration:read"),
  body: matcherCountsInput,
  respond: async ({ body, caller }) => {
    const { coarse } = admitGuesses(caller, body.matchers.length);
    return countMatching(body, { unkept: VOLATILE, mask: REDACTED, coarse });
  },
});
