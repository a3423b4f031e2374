import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { importApply, importApplying } from "@/lib/contracts/sources/import-job";
import { startApplying } from "@/lib/sources/import/apply-import";
import { getImportJob } from "@/lib/store/sources/import-jobs";

// POST /api/admin/imports/{id}/apply: all of the plan, or the chosen operations, in one revision. One that takes long
// goes on by itself: 202, and the import says what it did.
export const POST = route({
  authenticate: user("configuration:write"),
  params: z.object({ id: z.uuid() }),
  body: importApply,
  respond: async ({ caller, params, body }) => {
    const applied = await startApplying(caller.actor, params.id, body);
    if (applied !== null) return applied;
    return Response.json(importApplying.parse(await getImportJob(params.id)), { status: 202 });
  },
});
