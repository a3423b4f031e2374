import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { pauseInput, pauseTarget } from "@/lib/resources/pause";
import { listPauses, pause, resume } from "@/lib/store/calls/pauses";

// GET /api/admin/pause: what is paused.
export const GET = route({
  authenticate: user("configuration:read"),
  respond: async () => ({ items: await listPauses() }),
});

// PUT /api/admin/pause: stops all calls, or those of one source or agent.
export const PUT = route({
  authenticate: user("pause:write"),
  body: pauseInput,
  respond: async ({ caller, body }) => {
    await pause(caller.actor, body);
    return { items: await listPauses() };
  },
});

// DELETE /api/admin/pause?scope=source&name=…: lets calls through again.
export const DELETE = route({
  authenticate: user("pause:write"),
  query: pauseTarget,
  respond: async ({ caller, query }) => resume(caller.actor, query),
});
