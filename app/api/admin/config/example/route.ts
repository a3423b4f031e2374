import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";

// GET /api/admin/config/example: the shipped taxonomy and intent map (docs/reference/decision.md#tier), to be looked at and merged.
export const GET = route({
  authenticate: user("configuration:read"),
  respond: async () =>
    new Response(await readFile(join(process.cwd(), "prisma/seed/taxonomy.yaml"), "utf8"), {
      headers: { "content-type": "application/yaml; charset=utf-8" },
    }),
});
