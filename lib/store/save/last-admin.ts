import { AppError } from "@/lib/errors";
import type { UserInput } from "@/lib/resources/user";
import type { AppliedChange, RowsAfter } from "@/lib/store/save/change";

/**
 * Refuses to remove, disable or demote the last enabled admin (docs/reference/http.md#authentication). Runs under the
 * writers' lock on the state after all changes: when two admins demote each other at once, one change is refused.
 *
 * @throws AppError `conflict`
 */
export async function requireAdminLeft(changes: readonly AppliedChange[], rowsAfter: RowsAfter): Promise<void> {
  const leaving = changes.find(
    ({ resource, before, after }) => resource === "users" && isAdmin(before) && !isAdmin(after),
  );
  if (leaving === undefined || [...(await rowsAfter("users")).values()].some(isAdmin)) return;
  const facts = { path: fieldOf(leaving), message: "this is the last enabled admin: make someone else an admin first" };
  throw new AppError("conflict", `\`${leaving.id}\` is the last enabled admin: make someone else an admin first.`, {
    errors: leaving.after === null ? [] : [facts],
  });
}

function isAdmin(user: object | null): boolean {
  const { role, enabled } = (user ?? {}) as Partial<UserInput>;
  return role === "admin" && enabled === true;
}

function fieldOf({ after }: AppliedChange): string {
  return (after as UserInput | null)?.role === "admin" ? "enabled" : "role";
}
