import { adminRoute } from "@/app/api/admin/admin-route";
import { markHandled } from "@/lib/admin/denials";
import { DENIAL_OPERATIONS } from "@/lib/contracts/operations/denial-operations";
import { AppError } from "@/lib/errors";

export const PUT = adminRoute(DENIAL_OPERATIONS.handle_denial, async ({ caller, params: { id } }) =>
  mark(id, caller.actor.name, new Date()),
);

export const DELETE = adminRoute(DENIAL_OPERATIONS.reopen_denial, async ({ caller, params: { id } }) =>
  mark(id, caller.actor.name, null),
);

async function mark(id: string, actor: string, at: Date | null): Promise<void> {
  if (!(await markHandled(id, actor, at))) throw new AppError("not_found", "There is no such refusal.");
}
