import { adminRoute } from "@/app/api/admin/admin-route";
import { CONFIGURATION_OPERATIONS } from "@/lib/contracts/operations/configuration-operations";
import { countDemo, removeDemo } from "@/lib/store/save/demo";

export const GET = adminRoute(CONFIGURATION_OPERATIONS.read_demo, () => countDemo());

export const DELETE = adminRoute(CONFIGURATION_OPERATIONS.remove_demo, async ({ caller }) => {
  await removeDemo(caller.actor);
  return countDemo();
});
