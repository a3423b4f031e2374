/** What an error code of next-auth or ours means, for the one who signs in. */
const MESSAGES: Readonly<Record<string, string>> = {
  Throttled: "Too many attempts. Wait a few minutes and try again.",
  CredentialsSignin: "The e-mail or the password is not right.",
  SessionRequired: "Sign in to continue.",
  OAuthCallback: "Signing in took too long, or was started at another address of this app. Start again.",
  OpenIdUnreachable: "The company’s sign-in does not answer. Try again in a minute. The server's log says why.",
  OpenIdDeclined: "The company’s sign-in did not let you in, or you cancelled. Start again, or ask an administrator.",
  OpenIdNotProven:
    "Quartermaster did not accept the answer of the company’s sign-in. Start again. If it fails again, tell an administrator.",
  OpenIdNoGroup: "You are in none of the groups that may use Quartermaster. Ask an administrator to add you to one.",
  OpenIdNoEmail: "The company’s sign-in did not tell your e-mail address. Ask an administrator to release it.",
  OpenIdDisabled: "Your account here is switched off. Ask an administrator.",
  OpenIdLastAdmin:
    "You are the last administrator here, and your groups make you none any more. Make someone else an administrator first: `npx quartermaster user create EMAIL --role admin` on the server.",
};

/** The sentence for a code in `?error=`. */
export function signInMessage(code: string): string {
  return MESSAGES[code] ?? "Signing in failed on our side. Try again; if it stays, look at the server's log.";
}
