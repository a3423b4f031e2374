import { AppError } from "@/lib/errors";
import { accountDigest } from "@/lib/auth/people/sign-in";
import type { Person } from "@/lib/auth/people/user";
import { findUser, findUserByEmail, setPassword, users, type StoredUser } from "@/lib/store/config/users";
import { randomPassword } from "@/lib/store/people/password";
import { forgetAttempts } from "@/lib/store/people/sign-in-attempts";
import { refuseRotation } from "@/lib/store/save/review-mode";
import type { Actor } from "@/lib/store/save/write";

/**
 * Gives another person a random password and ends all their sessions.
 *
 * @throws AppError `not_found`; `forbidden` for the requester's own account, because a person's own change needs the current
 * password, and for people who sign in at an OpenID provider; `conflict` while changes are reviewed, because the requester
 * could then sign in as the second person
 */
export async function resetPasswordOf({ actor, userId }: Person, name: string): Promise<string> {
  const { email, issuer } = await users.get(name);
  if (issuer !== null) throw new AppError("forbidden", `${name} signs in at ${issuer} and has no password here.`);
  const requester = userId === null ? null : await findUser(userId);
  if (requester?.name === name)
    throw new AppError("forbidden", "This is your account: use Change password in the menu under your initials.");
  await refuseRotation(
    actor,
    `While changes are reviewed, a new password is set on the server: \`npx quartermaster user password ${email}\`.`,
  );
  const found = await findUserByEmail(email);
  const password = found === null ? null : await resetPassword(actor, found);
  if (password === null) throw new AppError("conflict", "This account was changed at the same time: try again.");
  return password;
}

/** Sets a random password and returns it; `null` when the account was changed at the same time. */
export async function resetPassword(actor: Actor, user: StoredUser): Promise<string | null> {
  const password = randomPassword();
  if ((await setPassword(actor, user, password)) === null) return null;
  // The new password also works at once on an account that wrong guesses have locked.
  await forgetAttempts(accountDigest(user.email));
  return password;
}
