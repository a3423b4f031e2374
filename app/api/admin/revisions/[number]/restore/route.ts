import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { requireVersion } from "@/lib/http/if-match";
import { route } from "@/lib/http/route";
import { revisionNumber } from "@/lib/resources/parts/name";
import { restoreRevision } from "@/lib/admin/revision-diff";

// POST /api/admin/revisions/{n}/restore: the configuration as it was then, as one new revision. Where issuers or
// settings change, their permissions are needed too. With `If-Match` a change in between is a 409.
export const POST = route({
  authenticate: user("configuration:write"),
  params: z.object({ number: z.coerce.number().pipe(revisionNumber) }),
  respond: async ({ caller, params, request }) => {
    const ifMatch = request.headers.has("if-match") ? { ifRevision: requireVersion(request) } : {};
    return restoreRevision(caller.actor, params.number, ifMatch);
  },
});
