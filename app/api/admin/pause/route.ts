import { adminRoute } from "@/app/api/admin/admin-route";
import { CONFIGURATION_OPERATIONS } from "@/lib/contracts/operations/configuration-operations";
import { listPauses, pause, resume } from "@/lib/store/calls/pauses";

// GET /api/admin/pause: the pauses in force.
export const GET = adminRoute(CONFIGURATION_OPERATIONS.list_pauses, async () => ({ items: await listPauses() }));

// PUT /api/admin/pause: stops all calls, or those of one source or agent.
export const PUT = adminRoute(CONFIGURATION_OPERATIONS.pause, async ({ caller, body }) => {
  await pause(caller.actor, body);
  return { items: await listPauses() };
});

// DELETE /api/admin/pause?scope=source&name=…: lets calls through again.
export const DELETE = adminRoute(CONFIGURATION_OPERATIONS.resume, async ({ caller, query }) =>
  resume(caller.actor, query),
);
