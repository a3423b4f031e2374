import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { AppError } from "@/lib/errors";
import { route } from "@/lib/http/route";
import { readExport } from "@/lib/store/log/log-exports";

// GET /api/admin/executions/exports/{id}: what an export was: its filter, count and hash, signed.
export const GET = route({
  authenticate: user("executions:export"),
  params: z.object({ id: z.string().max(64) }),
  respond: async ({ params }) => {
    const manifest = await readExport(params.id);
    if (manifest === null) throw new AppError("not_found", "There is no such export, or it was not read to its end.");
    return manifest;
  },
});
