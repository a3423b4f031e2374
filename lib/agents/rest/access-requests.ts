import { agentRoute } from "@/lib/agents/rest/agent-route";
import { callContextOf } from "@/lib/agents/rest/list";
import { requireNoConflict } from "@/lib/agents/rest/session-conflicts";
import { clientAddress } from "@/lib/auth/client-address";
import { readOwnAccessRequest, requestAccess as request } from "@/lib/calls/access/request";
import { AGENT_OPERATIONS } from "@/lib/contracts/operations/agent-operations";
import { AppError, type FieldProblem } from "@/lib/errors";
import { countRefusal } from "@/lib/store/audit/refusals";

/** POST /api/agents/access-requests: a person answers later (docs/reference/http.md#access-requests). */
export const requestAccess = agentRoute(
  AGENT_OPERATIONS.open_access_request,
  async ({ caller, body, request: http, requestId }) => {
    requireNoConflict(body, body.session_id);
    const context = await callContextOf(caller, body, body.session_id ?? null, { requestId });
    const terms = { tool: body.tool_id, reason: body.reason, hours: body.hours };
    const answer = await request(context, terms);
    if (!("code" in answer)) return answer;
    const { code, message, reason, details, headers } = answer;
    const by = { kind: "agent", name: caller.principal.agent ?? caller.principal.subject } as const;
    countRefusal({ action: "refused.access", reason, by, address: clientAddress(http.headers) });
    const errors = Array.isArray(details) ? (details as unknown as readonly FieldProblem[]) : [];
    throw new AppError(code, message, { errors, ...(headers !== undefined && { headers }) });
  },
);

/** GET /api/agents/access-requests/{id}: one of the caller's own requests. */
export const readAccessRequest = agentRoute(AGENT_OPERATIONS.read_access_request, async ({ caller, params: { id } }) =>
  readOwnAccessRequest(id, caller.principal),
);
