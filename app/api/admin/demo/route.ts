import { adminRoute } from "@/app/api/admin/admin-route";
import { CONFIGURATION_OPERATIONS } from "@/lib/contracts/operations/configuration-operations";
import { countDemoRows, removeDemo } from "@/lib/store/save/demo";

// GET /api/admin/demo: the number of rows that the demo created and nobody changed.
export const GET = adminRoute(CONFIGURATION_OPERATIONS.read_demo, async () => ({ rows: await countDemoRows() }));

// DELETE /api/admin/demo: removes them, with the keys of the demo's agents.
export const DELETE = adminRoute(CONFIGURATION_OPERATIONS.remove_demo, async ({ caller }) => {
  await removeDemo(caller.actor);
  return { rows: await countDemoRows() };
});
