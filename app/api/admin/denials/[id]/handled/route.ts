import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { AppError } from "@/lib/errors";
import { route } from "@/lib/http/route";
import { markHandled } from "@/lib/admin/denials";

const params = z.object({ id: z.string().max(64) });

// PUT /api/admin/denials/{id}/handled: the kind is out of the inbox until it is refused again.
export const PUT = route({
  authenticate: user("configuration:write"),
  params,
  respond: async ({ caller, params: { id } }) => mark(id, caller.actor.name, new Date()),
});

// DELETE /api/admin/denials/{id}/handled: it is in the inbox again.
export const DELETE = route({
  authenticate: user("configuration:write"),
  params,
  respond: async ({ caller, params: { id } }) => mark(id, caller.actor.name, null),
});

async function mark(id: string, actor: string, at: Date | null): Promise<void> {
  if (!(await markHandled(id, actor, at))) throw new AppError("not_found", "There is no such refusal.");
}
