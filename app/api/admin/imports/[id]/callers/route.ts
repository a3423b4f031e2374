import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { importCallersQuery } from "@/lib/contracts/sources/import-job";
import { listImportCallers } from "@/lib/admin/import-callers";

// GET /api/admin/imports/{id}/callers: who would see the new tools if they joined with these groups.
export const GET = route({
  authenticate: user("configuration:read"),
  params: z.object({ id: z.uuid() }),
  query: importCallersQuery,
  respond: ({ params, query }) => listImportCallers(params.id, query.group),
});
