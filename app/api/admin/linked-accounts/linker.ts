import { readSession } from "@/lib/auth/people/session";
import type { Person } from "@/lib/auth/people/user";
import type { LinkingPerson } from "@/lib/calls/linked-accounts/start-link";
import { AppError } from "@/lib/errors";

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
