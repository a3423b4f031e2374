import { adminRoute } from "@/app/api/admin/admin-route";
import { requireDraftSize } from "@/app/api/admin/preview/require-draft-size";
import { impact } from "@/lib/admin/impact";
import { VOLATILE } from "@/lib/audit/record/claims";
import { REDACTED } from "@/lib/audit/record/redact";
import { admitGuesses, GUESSES_PER_MINUTE, GUESSES_PER_NAMED_CALLERS } from "@/lib/auth/people/guesses";
import type { Person } from "@/lib/auth/people/user";
import { PREVIEW_OPERATIONS } from "@/lib/contracts/operations/preview-operations";
import { AppError } from "@/lib/errors";
import { can } from "@/lib/resources/permissions";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";

export const POST = adminRoute(PREVIEW_OPERATIONS.measure_impact, async ({ body, caller, request, requestId }) => {
  requireDraftSize(body.config, caller.role);
  await admitGuesses(caller, GUESSES_PER_NAMED_CALLERS);
  const admit = async (conditions: number) => {
    // A large document is no attack, so it may use the whole limit once.
    const guesses = Math.min(conditions, GUESSES_PER_MINUTE) - GUESSES_PER_NAMED_CALLERS;
    if (guesses > 0) await admitGuesses(caller, guesses);
  };
  if (body.arguments) requireBodies(caller);
  // Runs after the last check and before `impact` reads the log: a refused request reads no arguments.
  const onRead = async () => {
    if (!body.arguments) return;
    const { actor } = caller;
    await recordAuditEvent({ actor, action: "executions.arguments", target: "impact", requestId });
  };
  return impact(body, { unlogged: VOLATILE, mask: REDACTED }, { signal: request.signal, admit, onRead });
});

/** Conditions on logged arguments reveal something about them, so the person needs the permission for bodies. */
function requireBodies({ role }: Person): void {
  if (can(role, "executions:bodies")) return;
  throw new AppError("forbidden", "Reading the arguments of logged calls needs the permission `executions:bodies`.", {
    extra: { permission: "executions:bodies" },
  });
}
