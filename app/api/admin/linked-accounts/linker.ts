import { readSession } from "@/lib/auth/people/session";
import type { Person } from "@/lib/auth/people/user";
import type { LinkingPerson } from "@/lib/calls/linked-accounts/start-link";
import { AppError } from "@/lib/errors";
import { can } from "@/lib/resources/permissions";
import { findPersonId } from "@/lib/store/keys/linked-account-rows";

/** The person of a name, whose account somebody else ends. @throws AppError `forbidden`, `not_found` */
export async function requireOther(
  { role }: Pick<Person, "role">,
  name: string,
): Promise<{ readonly personId: string }> {
  if (!can(role, "people:write"))
    throw new AppError("forbidden", "Ending the linked accounts of others needs the permission `people:write`.", {
      extra: { permission: "people:write" },
    });
  const personId = await findPersonId(name);
  if (personId === null) throw new AppError("not_found", `There is no person \`${name}\`.`);
  return { personId };
}

/** The person of a session, who may link and end accounts. @throws AppError `conflict` for a personal access token */
export async function requireLinker({ userId }: Person, request: Request): Promise<LinkingPerson> {
  const session = userId === null ? null : await readSession(request.headers.get("cookie"));
  if (userId === null || session === null)
    throw new AppError(
      "conflict",
      "Accounts are linked by people in a browser: a personal access token can neither link nor end one.",
    );
  return { personId: userId, session: session.startedAt };
}
