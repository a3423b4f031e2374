/** The sentence for each error code of next-auth and of Quartermaster, for the person who signs in. */
const MESSAGES: Readonly<Record<string, string>> = {
  Throttled: "Too many attempts. Wait a few minutes and try again.",
  CredentialsSignin: "The e-mail or the password is wrong.",
  SessionRequired: "Sign in to continue.",
  OAuthCallback: "The sign-in took too long, or it started at another address of this app. Start again.",
  OpenIdUnreachable: "The company’s sign-in does not respond. Try again in a minute. The server log has the cause.",
  OpenIdDeclined: "The company’s sign-in refused you, or you cancelled. Start again, or ask an administrator.",
  OpenIdNotProven:
    "Quartermaster did not accept the answer of the company’s sign-in. Start again. If it fails again, tell an administrator.",
  OpenIdNoGroup: "You are not in a group that can use Quartermaster. Ask an administrator to add you to one.",
  OpenIdNoEmail: "The company’s sign-in did not send your e-mail address. Ask an administrator to release it.",
  OpenIdDisabled: "Your account is disabled. Ask an administrator to enable it.",
  OpenIdLastAdmin:
    "You are the last administrator, but your groups no longer include that role. First create another administrator on the server: `npx quartermaster user create EMAIL --role admin`",
};

/** The sentence for a code in `?error=`. */
export function signInMessage(code: string): string {
  const message = Object.hasOwn(MESSAGES, code) ? MESSAGES[code] : undefined;
  return message ?? "The sign-in failed in Quartermaster. Try again. If it fails again, check the server log.";
}
