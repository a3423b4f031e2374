import { archivePlace } from "@/lib/audit/archive/archive-place";
import { readLogMonths } from "@/lib/audit/archive/retention";
import { user } from "@/lib/auth/people/user";
import { AppError } from "@/lib/errors";
import { route } from "@/lib/http/route";
import { archiveInput } from "@/lib/contracts/log/retention";
import { askForArchive } from "@/lib/store/audit/archivings";

// GET /api/admin/executions/archives: how each month of the log stands.
export const GET = route({
  authenticate: user("executions:verify"),
  respond: () => readLogMonths(),
});

// POST /api/admin/executions/archives: asks for an archive of a month; how far it is, the list says.
export const POST = route({
  authenticate: user("retention:write"),
  body: archiveInput,
  respond: async ({ caller, body }) => {
    if (archivePlace() === null)
      throw new AppError("conflict", "There is no place for archives: set ARCHIVE_DIR or ARCHIVE_URL.");
    await askForArchive(body.month, caller.actor, new Date());
    return Response.json({ month: body.month }, { status: 202 });
  },
});
