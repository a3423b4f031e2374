import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { toolInPath } from "@/lib/resources/parts/name";
import { tryInput } from "@/lib/contracts/log/try";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { newCallId } from "@/lib/store/log/call-id";
import { tools } from "@/lib/store/config/tools";
import { tryTool } from "@/lib/calls/pipeline/try";

const authenticate = user("configuration:write");

// POST /api/admin/tools/{id}/try: a real call as an agent or a persona. Who made it is written down before it is made.
export const POST = route({
  authenticate,
  params: toolInPath,
  body: tryInput,
  numbers: "exact",
  respond: async ({ caller: { actor }, params: { id }, body, request, requestId }) => {
    await tools.get(id);
    const callId = newCallId();
    await recordAuditEvent({ actor, action: "tools.tried", target: callId, requestId });
    const { url, headers } = request;
    const authorize = () => authenticate(new Request(url, { headers }));
    return tryTool({ callId, requestId, toolId: id, input: body, authorize });
  },
});
