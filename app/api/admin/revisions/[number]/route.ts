import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { revisionNumber } from "@/lib/resources/parts/name";
import { getRevision } from "@/lib/store/save/revisions";

// GET /api/admin/revisions/{n}: who saved it, when, and every row it changed, before and after.
export const GET = route({
  authenticate: user("configuration:read"),
  params: z.object({ number: z.coerce.number().pipe(revisionNumber) }),
  respond: async ({ caller, params }) => getRevision(params.number, caller.role),
});
