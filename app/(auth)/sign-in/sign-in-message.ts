/** What next-auth's error code means, for the one who signs in. */
export function signInMessage(code: string): string {
  if (code === "Throttled") return "Too many attempts. Wait a few minutes and try again.";
  if (code === "CredentialsSignin") return "The e-mail or the password is not right.";
  if (code === "SessionRequired") return "Sign in to continue.";
  return "Signing in failed on our side. Try again; if it stays, look at the server's log.";
}
