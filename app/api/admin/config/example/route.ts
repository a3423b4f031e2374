import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { adminRoute } from "@/app/api/admin/admin-route";
import { CONFIGURATION_OPERATIONS } from "@/lib/contracts/operations/configuration-operations";

// GET /api/admin/config/example: the shipped taxonomy and intent map (docs/reference/decision.md#tier), to read and to merge.
export const GET = adminRoute(
  CONFIGURATION_OPERATIONS.read_example_configuration,
  async () =>
    new Response(await readFile(join(process.cwd(), "prisma/seed/taxonomy.yaml"), "utf8"), {
      headers: { "content-type": "application/yaml; charset=utf-8" },
    }),
);
