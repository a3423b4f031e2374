import { requireDraftSize } from "@/app/api/admin/preview/require-draft-size";
import { VOLATILE } from "@/lib/audit/record/claims";
import { REDACTED } from "@/lib/audit/record/redact";
import { admitGuesses } from "@/lib/auth/people/guesses";
import { user, type Person } from "@/lib/auth/people/user";
import { AppError } from "@/lib/errors";
import { route } from "@/lib/http/route";
import { DRAFT_BOUNDS } from "@/lib/contracts/changes/document-limits";
import { impactInput } from "@/lib/contracts/decisions/impact";
import { can } from "@/lib/resources/permissions";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { impact } from "@/lib/admin/impact";

/** What one question counts for, among the conditions that somebody may have counted within a minute. */
const GUESSES_OF_IMPACT = 4;

// POST /api/admin/impact: whose tools a change would alter, and which recent calls it would decide otherwise.
export const POST = route({
  authenticate: user("configuration:read"),
  body: impactInput,
  bounds: DRAFT_BOUNDS,
  respond: async ({ body, caller, request, requestId }) => {
    requireDraftSize(body.config, caller.role);
    // The answer names callers: with a policy of one's own it tells of claims what a count of a condition tells.
    admitGuesses(caller, GUESSES_OF_IMPACT);
    if (body.arguments) await openArguments(caller, requestId);
    return impact(body, { unkept: VOLATILE, mask: REDACTED }, { signal: request.signal });
  },
});

/** Conditions that are judged on logged arguments tell something of them: they are bodies of the log. */
async function openArguments({ actor, role }: Person, requestId: string): Promise<void> {
  if (!can(role, "executions:bodies"))
    throw new AppError("forbidden", "The arguments of logged calls need the permission `executions:bodies`.", {
      extra: { permission: "executions:bodies" },
    });
  await recordAuditEvent({ actor, action: "executions.arguments", target: "impact", requestId });
}
