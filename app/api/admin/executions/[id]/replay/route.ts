import { z } from "zod";
import { openExecution } from "@/app/api/admin/preview/ask-preview";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { replayInput } from "@/lib/contracts/decisions/replay";
import { replayExecution } from "@/lib/admin/replay";

// POST /api/admin/executions/{id}/replay: the same call under its own rules and under others; nothing is run.
export const POST = route({
  authenticate: user("executions:bodies"),
  params: z.object({ id: z.string().max(64) }),
  body: replayInput,
  respond: async ({ body, caller, params, requestId }) => {
    await openExecution(params.id, caller, requestId);
    return replayExecution(params.id, body);
  },
});
