import { adminRoute } from "@/app/api/admin/admin-route";
import { recordInputsRead } from "@/app/api/admin/preview/decide-preview";
import { replayExecution } from "@/lib/admin/replay";
import { PREVIEW_OPERATIONS } from "@/lib/contracts/operations/preview-operations";

export const POST = adminRoute(PREVIEW_OPERATIONS.replay_execution, async ({ body, caller, params, requestId }) => {
  await recordInputsRead(params.id, caller, requestId);
  return replayExecution(params.id, body);
});
