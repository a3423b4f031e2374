import { adminRoute } from "@/app/api/admin/admin-route";
import { planBulk, writeBulk } from "@/lib/admin/bulk";
import { VOLATILE } from "@/lib/audit/record/claims";
import { REDACTED } from "@/lib/audit/record/redact";
import { admitGuesses, GUESSES_PER_NAMED_CALLERS } from "@/lib/auth/people/guesses";
import { CONFIGURATION_OPERATIONS } from "@/lib/contracts/operations/configuration-operations";

export const POST = adminRoute(
  CONFIGURATION_OPERATIONS.change_many,
  async ({ request, caller, params: { section }, query, body, ifMatch }) => {
    const { actor } = caller;
    if (!query.dryRun) return writeBulk(actor, section, body, ifMatch());
    await admitGuesses(caller, GUESSES_PER_NAMED_CALLERS);
    return planBulk(actor, section, body, { unlogged: VOLATILE, mask: REDACTED }, request.signal);
  },
);
