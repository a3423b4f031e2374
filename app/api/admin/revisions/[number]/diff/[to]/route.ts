import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { revisionNumber } from "@/lib/resources/parts/name";
import { diffRevisions } from "@/lib/admin/revision-diff";

const number = z.coerce.number().pipe(revisionNumber);

// GET /api/admin/revisions/{a}/diff/{b}: what leads from one revision to the other, row by row.
export const GET = route({
  authenticate: user("configuration:read"),
  params: z.object({ number, to: number }),
  respond: async ({ caller, params }) => diffRevisions(params.number, params.to, caller.role),
});
