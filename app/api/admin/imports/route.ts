import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { importInput } from "@/lib/resources/import-job";
import { startImport } from "@/lib/sources/import";

// POST /api/admin/imports: starts reading a source's document; 202 with the id to ask for.
export const POST = route({
  authenticate: user("configuration:write"),
  body: importInput,
  respond: async ({ caller, body }) => Response.json({ id: await startImport(caller.actor, body) }, { status: 202 }),
});
