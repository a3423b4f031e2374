import { adminRoute } from "@/app/api/admin/admin-route";
import { admitArguments } from "@/app/api/admin/impact/read-arguments";
import { impactOfRequest } from "@/lib/admin/request-impact";
import { VOLATILE } from "@/lib/audit/record/claims";
import { REDACTED } from "@/lib/audit/record/redact";
import { admitGuesses, GUESSES_PER_NAMED_CALLERS } from "@/lib/auth/people/guesses";
import { REQUEST_OPERATIONS } from "@/lib/contracts/operations/request-operations";

export const GET = adminRoute(
  REQUEST_OPERATIONS.measure_request,
  async ({ caller, params, query, request, requestId }) => {
    await admitGuesses(caller, GUESSES_PER_NAMED_CALLERS);
    const onRead = query.arguments ? admitArguments(caller, requestId) : undefined;
    return impactOfRequest(params.id, { unlogged: VOLATILE, mask: REDACTED }, { signal: request.signal, onRead });
  },
);
