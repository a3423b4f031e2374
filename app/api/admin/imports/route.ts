import { user } from "@/lib/auth/people/user";
import { readJsonBytes } from "@/lib/http/body";
import { route } from "@/lib/http/route";
import { DOCUMENT_LIMITS } from "@/lib/contracts/changes/document-limits";
import { startImport } from "@/lib/sources/import/import";
import { importBodyInThread } from "@/lib/sources/import/import-body-thread";

// POST /api/admin/imports: starts reading a source's document; 202 with the id to ask for. A document may be larger
// than any other body.
export const POST = route({
  authenticate: user("configuration:write"),
  respond: async ({ caller, request }) => {
    const body = await readJsonBytes(request, DOCUMENT_LIMITS[caller.role].applied);
    const { input, document } = await importBodyInThread(body);
    return Response.json(
      { id: await startImport(caller.actor, { ...input, ...(document !== null && { document }) }) },
      { status: 202 },
    );
  },
});
