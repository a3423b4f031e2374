import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { adminRoute } from "@/app/api/admin/admin-route";
import { CONFIGURATION_OPERATIONS } from "@/lib/contracts/operations/configuration-operations";

export const GET = adminRoute(
  CONFIGURATION_OPERATIONS.read_example_configuration,
  async () =>
    new Response(await readFile(join(process.cwd(), "prisma/seed/taxonomy.yaml"), "utf8"), {
      headers: { "content-type": "application/yaml; charset=utf-8" },
    }),
);
