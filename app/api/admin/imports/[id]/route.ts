import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { Reply } from "@/lib/http/reply";
import { route } from "@/lib/http/route";
import { getImportText } from "@/lib/store/sources/import-jobs";

// GET /api/admin/imports/{id}: how far it is, what it would do, what it noticed.
export const GET = route({
  authenticate: user("configuration:read"),
  params: z.object({ id: z.uuid() }),
  respond: async ({ params }) => new Reply(await getImportText(params.id), 200, { "content-type": "application/json" }),
});
