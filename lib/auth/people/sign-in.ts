import { createHash } from "node:crypto";
import { MAX_PASSWORD_LENGTH } from "@/lib/contracts/people/password-change";
import { verifyPassword } from "@/lib/store/people/password";
import { admitAttempt, forgetAttempts, type AttemptOrigin } from "@/lib/store/people/sign-in-attempts";
import { findUserByEmail, noteSignIn, type StoredUser } from "@/lib/store/config/users";

/** What a sign-in came to. `throttled` says nothing about whether the account exists. */
export type SignIn =
  | { readonly kind: "signed_in"; readonly user: StoredUser }
  /** `account`: the one that was tried, where there is one; the caller of the API is not told. */
  | { readonly kind: "refused"; readonly account: string | null; readonly reason: string }
  | { readonly kind: "throttled" };

/**
 * Checks an e-mail address and a password. The attempt is counted before the password is looked at,
 * and forgotten only when it was right: many guesses at once are no way around the limit. An unknown
 * account is counted, and takes the time of a known one.
 *
 * @param from the peer as `clientAddress` saw it, and the known device
 * @param now epoch milliseconds
 */
export async function signIn(email: string, password: string, from: AttemptOrigin, now: number): Promise<SignIn> {
  const account = accountOf(email);
  const digest = accountDigest(account);
  if (!(await admitAttempt(digest, from, now))) return { kind: "throttled" };
  const found = await findUserByEmail(account);
  const right = await verifyPassword(found?.passwordHash ?? null, password.slice(0, MAX_PASSWORD_LENGTH + 1));
  if (found === null) return { kind: "refused", account: null, reason: "No such account." };
  if (!right || !found.enabled) {
    const reason = right ? "The account is disabled." : "The password is wrong.";
    return { kind: "refused", account: found.email, reason };
  }
  await forgetAttempts(digest, from);
  await noteSignIn(found.id, now);
  return { kind: "signed_in", user: found };
}

/** The account that someone typed, as its attempts are counted. */
export function accountOf(email: string): string {
  return email.trim().toLowerCase().slice(0, 320);
}

/** What an account's attempts are counted under, so that the table names nobody; `account` is in lower case. */
export function accountDigest(account: string): string {
  return createHash("sha256").update(account).digest("hex");
}
