import { randomUUID } from "node:crypto";
import { decode, encode } from "next-auth/jwt";
import { cookieValue } from "@/lib/auth/people/session";
import { env, isServedOverTls } from "@/lib/env";

/** Seconds for which a browser stays known after a sign-in. */
const KNOWN_SECONDS = 90 * 24 * 60 * 60;

/** Derives a separate key, so that a device cookie cannot be used as a session. */
const SALT = "quartermaster.device";

function cookieName(): string {
  return `${isServedOverTls() ? "__Secure-" : ""}${SALT}`;
}

/** The `Set-Cookie` that marks a browser as known for this account. Only routes below `/api` receive the cookie. */
export async function deviceCookie(account: string): Promise<string> {
  const token = { account, device: randomUUID() };
  const value = await encode({ token, secret: env.NEXTAUTH_SECRET, maxAge: KNOWN_SECONDS, salt: SALT });
  const attributes = `Path=/api; Max-Age=${KNOWN_SECONDS}; HttpOnly; SameSite=Lax${isServedOverTls() ? "; Secure" : ""}`;
  return `${cookieName()}=${value}; ${attributes}`;
}

/** The device that `cookies` prove, if this account has signed in there; otherwise `null`. */
export async function knownDevice(cookies: string | null, account: string): Promise<string | null> {
  const token = cookieValue(cookies ?? "", cookieName());
  if (token === null) return null;
  for (const secret of [env.NEXTAUTH_SECRET, ...env.NEXTAUTH_SECRET_PREVIOUS]) {
    const known = await decode({ token, secret, salt: SALT }).catch(() => null);
    if (known !== null && known["account"] === account && typeof known["device"] === "string") return known["device"];
  }
  return null;
}
