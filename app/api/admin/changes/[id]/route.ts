import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { getChange } from "@/lib/store/save/changes";

// GET /api/admin/changes/{id}: one change, before and after.
export const GET = route({
  authenticate: user("configuration:read"),
  params: z.object({ id: z.string().max(64) }),
  respond: async ({ caller, params }) => getChange(params.id, caller.role),
});
