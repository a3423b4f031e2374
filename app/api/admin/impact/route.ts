import { adminRoute } from "@/app/api/admin/admin-route";
import { admitArguments } from "@/app/api/admin/impact/read-arguments";
import { requireDraftSize } from "@/app/api/admin/preview/require-draft-size";
import { impact } from "@/lib/admin/impact";
import { VOLATILE } from "@/lib/audit/record/claims";
import { REDACTED } from "@/lib/audit/record/redact";
import { admitGuesses, GUESSES_PER_MINUTE, GUESSES_PER_NAMED_CALLERS } from "@/lib/auth/people/guesses";
import { PREVIEW_OPERATIONS } from "@/lib/contracts/operations/preview-operations";

export const POST = adminRoute(PREVIEW_OPERATIONS.measure_impact, async ({ body, caller, request, requestId }) => {
  requireDraftSize(body.config, caller.role);
  await admitGuesses(caller, GUESSES_PER_NAMED_CALLERS);
  const admit = async (conditions: number) => {
    // A large document is no attack, so it may use the whole limit once.
    const guesses = Math.min(conditions, GUESSES_PER_MINUTE) - GUESSES_PER_NAMED_CALLERS;
    if (guesses > 0) await admitGuesses(caller, guesses);
  };
  const onRead = body.arguments ? admitArguments(caller, requestId) : undefined;
  return impact(body, { unlogged: VOLATILE, mask: REDACTED }, { signal: request.signal, admit, onRead });
});
