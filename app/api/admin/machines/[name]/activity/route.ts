import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { slug } from "@/lib/resources/parts/name";
import { loadMachineActivity } from "@/lib/admin/machine-activity";

// GET /api/admin/machines/{name}/activity: live sessions by state, and the transitions of the last 24 hours.
export const GET = route({
  authenticate: user("executions:read"),
  params: z.object({ name: slug }),
  respond: async ({ params: { name } }) => loadMachineActivity(name, new Date()),
});
