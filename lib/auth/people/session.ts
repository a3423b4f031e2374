import { decode, encode } from "next-auth/jwt";
import { env } from "@/lib/env";
import type { StoredUser } from "@/lib/store/users";

/** Lifetime of a session, in seconds: half a day. */
export const SESSION_SECONDS = 12 * 60 * 60;

/** What a session cookie proves: who signed in, and in which epoch of that user's sessions. */
export interface SessionClaims {
  readonly userId: string;
  /** Sessions of an older epoch have ended (a new password, a sign-out everywhere). */
  readonly epoch: number;
}

/** Name of the session cookie: `__Secure-` where the app is served over TLS. */
export function sessionCookieName(): string {
  return `${servedOverTls() ? "__Secure-" : ""}next-auth.session-token`;
}

/** Whether people reach the app over TLS, as `NEXTAUTH_URL` says. */
export function servedOverTls(): boolean {
  return env.NEXTAUTH_URL.startsWith("https:");
}

/** The claims of a session that starts now; the rest of the user is read on every request. */
export function sessionClaims(user: StoredUser): { sub: string; epoch: number } {
  return { sub: user.id, epoch: user.sessionEpoch };
}

/** A session cookie's value for a user, as sign-in makes it. */
export function mintSession(user: StoredUser): Promise<string> {
  return encode({ token: sessionClaims(user), secret: env.NEXTAUTH_SECRET, maxAge: SESSION_SECONDS });
}

/** The `Set-Cookie` of a session that starts now: what next-auth sets at sign-in. */
export async function sessionCookie(user: StoredUser): Promise<string> {
  const attributes = `Path=/; Max-Age=${SESSION_SECONDS}; HttpOnly; SameSite=Lax${servedOverTls() ? "; Secure" : ""}`;
  return `${sessionCookieName()}=${await mintSession(user)}; ${attributes}`;
}

/**
 * The claims of the session cookie among `cookies` (a `Cookie` header). `null` when there is none, or
 * when it is not ours, was altered or has expired.
 */
export async function readSession(cookies: string | null): Promise<SessionClaims | null> {
  const token = cookieValue(cookies ?? "", sessionCookieName());
  if (token === null) return null;
  for (const secret of [env.NEXTAUTH_SECRET, ...env.NEXTAUTH_SECRET_PREVIOUS]) {
    const { sub, epoch } = (await decode({ token, secret }).catch(() => null)) ?? {};
    if (typeof sub === "string" && typeof epoch === "number") return { userId: sub, epoch };
  }
  return null;
}

/** Whether the request carries a session cookie at all, valid or not. */
export function hasSessionCookie(request: Request): boolean {
  return cookieValue(request.headers.get("cookie") ?? "", sessionCookieName()) !== null;
}

function cookieValue(header: string, name: string): string | null {
  for (const part of header.split(";")) {
    const [key, ...rest] = part.split("=");
    if (key?.trim() === name) return rest.join("=").trim();
  }
  return null;
}
