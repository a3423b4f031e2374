import { AppError } from "@/lib/errors";
import { accountDigest } from "@/lib/auth/people/sign-in";
import type { Person } from "@/lib/auth/people/user";
import type { PasswordChange } from "@/lib/contracts/people/password-change";
import { verifyPassword } from "@/lib/store/people/password";
import { countRefusal } from "@/lib/store/audit/refusals";
import { admitAttempt, forgetAttempts } from "@/lib/store/people/sign-in-attempts";
import { findUser, setPassword, type StoredUser } from "@/lib/store/config/users";

/**
 * Sets a person's own password and ends all their sessions, including this one. Requires the present password, with the
 * attempt counter of the sign-in page.
 *
 * @param address the peer, from `clientAddress`
 * @param now epoch milliseconds
 * @returns the user in the new epoch, for the session that replaces this one
 * @throws AppError `forbidden` (for tokens and OpenID Connect users, who have no password), `rate_limited`, `invalid_request`, `conflict`
 */
export async function changePassword(
  { actor, userId }: Person,
  { current, next }: PasswordChange,
  address: string,
  now: number,
): Promise<StoredUser> {
  const found = userId === null ? null : await findUser(userId);
  if (found === null) throw new AppError("forbidden", "Only a signed-in person has a password.");
  if (found.issuer !== null)
    throw new AppError("forbidden", `You sign in at ${found.issuer}: change your password there.`);
  const account = accountDigest(found.email);
  const from = { address, device: null };
  if (!(await admitAttempt(account, from, now)))
    throw new AppError("rate_limited", "Too many attempts: try again in a quarter of an hour.", {
      headers: { "retry-after": "900" },
    });
  if (!(await verifyPassword(found.passwordHash, current))) {
    const by = { kind: "user", name: found.email } as const;
    countRefusal({ action: "refused.sign_in", reason: "The current password is wrong.", by, address });
    throw new AppError("invalid_request", "The current password is wrong.", {
      errors: [{ path: "current", message: "is not your current password" }],
    });
  }
  await forgetAttempts(account, from);
  const changed = await setPassword(actor, found, next);
  if (changed !== null) return changed;
  throw new AppError("conflict", "Your account has changed in the meantime: sign in again.");
}
