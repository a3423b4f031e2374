import { adminRoute } from "@/app/api/admin/admin-route";
import { countMatching } from "@/lib/admin/recent-callers";
import { VOLATILE } from "@/lib/audit/record/claims";
import { REDACTED } from "@/lib/audit/record/redact";
import { admitGuesses } from "@/lib/auth/people/guesses";
import { PREVIEW_OPERATIONS } from "@/lib/contracts/operations/preview-operations";

// Counts for chosen conditions reveal claims, so people who may not read bodies get coarse counts.
export const POST = adminRoute(PREVIEW_OPERATIONS.count_matching_callers, async ({ body, caller }) => {
  const { coarse } = await admitGuesses(caller, body.matchers.length);
  return countMatching(body, { unlogged: VOLATILE, mask: REDACTED, coarse });
});
