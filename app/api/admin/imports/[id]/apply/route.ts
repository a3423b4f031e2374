import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { importApply } from "@/lib/resources/import-job";
import { applyImport } from "@/lib/sources/apply-import";

// POST /api/admin/imports/{id}/apply: all of the plan, or the chosen operations, in one revision.
export const POST = route({
  authenticate: user("configuration:write"),
  params: z.object({ id: z.uuid() }),
  body: importApply,
  respond: ({ caller, params, body }) => applyImport(caller.actor, params.id, body),
});
