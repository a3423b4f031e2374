import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { followImport } from "@/lib/sources/import/follow-import";

// GET /api/admin/imports/{id}/events: `progress` whenever it is further, then `result` with the import.
export const GET = route({
  authenticate: user("configuration:read"),
  params: z.object({ id: z.uuid() }),
  respond: ({ params }) => followImport(params.id),
});
