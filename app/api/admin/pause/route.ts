import { adminRoute } from "@/app/api/admin/admin-route";
import { CONFIGURATION_OPERATIONS } from "@/lib/contracts/operations/configuration-operations";
import { listPauses, pause, resume } from "@/lib/store/calls/pauses";

export const GET = adminRoute(CONFIGURATION_OPERATIONS.list_pauses, async () => ({ items: await listPauses() }));

export const PUT = adminRoute(CONFIGURATION_OPERATIONS.pause, async ({ caller, body }) => {
  await pause(caller.actor, body);
  return { items: await listPauses() };
});

export const DELETE = adminRoute(CONFIGURATION_OPERATIONS.resume, async ({ caller, query }) =>
  resume(caller.actor, query),
);
