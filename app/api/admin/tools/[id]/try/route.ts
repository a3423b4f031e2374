import { adminRoute } from "@/app/api/admin/admin-route";
import { user } from "@/lib/auth/people/user";
import { tryTool } from "@/lib/calls/pipeline/try";
import { CONFIGURATION_OPERATIONS } from "@/lib/contracts/operations/configuration-operations";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { tools } from "@/lib/store/config/tools";
import { newCallId } from "@/lib/store/log/call-id";

const { try_tool: contract } = CONFIGURATION_OPERATIONS;
const authenticate = user(contract.who);

// The audit trail records the person before the call.
export const POST = adminRoute(
  contract,
  async ({ caller: { actor, userId }, params: { id }, body, request, requestId }) => {
    await tools.get(id);
    const callId = newCallId();
    await recordAuditEvent({ actor, action: "tools.tried", target: callId, requestId });
    const { url, headers } = request;
    const authorize = () => authenticate(new Request(url, { headers }));
    return tryTool({ callId, requestId, toolId: id, input: body, person: userId, authorize });
  },
);
