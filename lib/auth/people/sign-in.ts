import { createHash } from "node:crypto";
import { MAX_PASSWORD_LENGTH } from "@/lib/contracts/people/password-change";
import { verifyPassword } from "@/lib/store/people/password";
import { admitAttempt, forgetAttempts, type AttemptOrigin } from "@/lib/store/people/sign-in-attempts";
import { findUserByEmail, noteSignIn, type StoredUser } from "@/lib/store/config/users";

/** The result of a sign-in. `throttled` does not reveal whether the account exists. */
type SignIn =
  | { readonly kind: "signed_in"; readonly user: StoredUser }
  /** `account`: the account that was tried, if it exists. The API's answer does not contain it. */
  | { readonly kind: "refused"; readonly account: string | null; readonly reason: string }
  | { readonly kind: "throttled" };

/**
 * Checks an e-mail address and a password. Counts the attempt before the password check and forgets it only after a right
 * password, so that concurrent guesses cannot pass the limit. Unknown accounts are counted and take the same time.
 *
 * @param from the peer from `clientAddress`, and the known device
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

/** Normalises the e-mail address that a person typed, for counting attempts. */
export function accountOf(email: string): string {
  return email.trim().toLowerCase().slice(0, 320);
}

/** The digest under which an account's attempts are counted, so that the table contains no names. `account`: lower case. */
export function accountDigest(account: string): string {
  return createHash("sha256").update(account).digest("hex");
}
