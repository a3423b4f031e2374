import { user } from "@/lib/auth/people/user";
import { readJson } from "@/lib/http/body";
import { parse } from "@/lib/http/parse";
import { route } from "@/lib/http/route";
import { importInput, MOST_DOCUMENT_BYTES, type ImportInput } from "@/lib/resources/import-job";
import { startImport } from "@/lib/sources/import";

// POST /api/admin/imports: starts reading a source's document; 202 with the id to ask for. A document may be larger
// than any other body.
export const POST = route({
  authenticate: user("configuration:write"),
  respond: async ({ caller, request }) => {
    const input = parse(importInput, await readJson(request, MOST_DOCUMENT_BYTES), "body") as ImportInput;
    return Response.json({ id: await startImport(caller.actor, input) }, { status: 202 });
  },
});
