import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { getImportJob } from "@/lib/store/import-jobs";

// GET /api/admin/imports/{id}: how far it is, what it would do, what it noticed.
export const GET = route({
  authenticate: user("configuration:read"),
  params: z.object({ id: z.uuid() }),
  respond: ({ params }) => getImportJob(params.id),
});
