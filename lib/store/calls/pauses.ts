import { AppError } from "@/lib/errors";
import { pauseName, type PauseInput, type PauseRow, type PauseTarget } from "@/lib/resources/pause";
import { db } from "@/lib/store/db/database";
import type { Stored } from "@/lib/store/save/stored";
import { write, type Actor } from "@/lib/store/save/write";

/** The pauses in force, widest scope first. */
export async function listPauses(): Promise<PauseRow[]> {
  const rows = await db().pause.findMany({ orderBy: { name: "asc" } });
  return rows.flatMap(({ scope, target, reason, by, createdAt }) =>
    scope === "all" || scope === "source" || scope === "agent"
      ? [{ scope, name: target, reason, by, since: createdAt.toISOString() }]
      : [],
  );
}

/**
 * Stops calls of everyone, of one source or of one agent, from the next call on. A second pause of the same target
 * replaces the reason.
 *
 * @throws AppError `invalid_request` for an unknown source or agent
 */
export async function pause(actor: Actor, input: PauseInput): Promise<void> {
  await write(actor, async (stored) => {
    await requireTarget(stored, input);
    const name = pauseName(input);
    const after = { name, scope: input.scope, target: input.name, reason: input.reason, by: actor.name };
    const before = await stored.get("pauses", name);
    return before === null
      ? [{ resource: "pauses", action: "create", after }]
      : [{ resource: "pauses", action: "update", id: name, after }];
  });
}

/** Ends a pause. @throws AppError `not_found` when the target is not paused */
export async function resume(actor: Actor, target: PauseTarget): Promise<void> {
  await write(actor, () => [{ resource: "pauses", action: "delete", id: pauseName(target) }]);
}

async function requireTarget(stored: Stored, { scope, name }: PauseTarget): Promise<void> {
  if (scope === "all" || name === null) return;
  const row = await stored.get(scope === "source" ? "sources" : "agents", name);
  if (row !== null) return;
  throw new AppError("invalid_request", `There is no ${scope} \`${name}\`.`, {
    errors: [{ path: "name", message: `unknown ${scope}` }],
  });
}
