import { decode, encode, type JWT } from "next-auth/jwt";
import { env, isServedOverTls } from "@/lib/env";
import type { StoredUser } from "@/lib/store/config/users";

/** Lifetimes of a session, in seconds. */
export const SESSION_SECONDS = {
  /** A session ends this long after the sign-in in any case. */
  absolute: 12 * 60 * 60,
  /** A session ends this long after the person's last request. */
  idle: 60 * 60,
  /** A cookie older than this is replaced by one with a new idle deadline. */
  renewAfter: 5 * 60,
} as const;

/** The facts in a session cookie: the user, the start, and the epoch of that user's sessions. */
interface SessionClaims {
  readonly userId: string;
  /** Sessions of an older epoch have ended (after a new password or a sign-out everywhere). */
  readonly epoch: number;
  /** When the person signed in, epoch seconds. Renewals keep it. */
  readonly startedAt: number;
}

/** Name of the session cookie, with `__Secure-` if the app uses TLS. */
export function sessionCookieName(): string {
  return `${isServedOverTls() ? "__Secure-" : ""}next-auth.session-token`;
}

/** The claims of a session that starts now. Every request reads the other facts about the user. */
export function sessionClaims(user: StoredUser): { sub: string; epoch: number; startedAt: number } {
  return { sub: user.id, epoch: user.sessionEpoch, startedAt: nowInSeconds() };
}

/** When a session ends without further use, epoch seconds; 0 for claims of no session. */
export function sessionDeadline({ startedAt }: JWT): number {
  if (typeof startedAt !== "number" || startedAt > nowInSeconds() + SESSION_SECONDS.renewAfter) return 0;
  return Math.min(startedAt + SESSION_SECONDS.absolute, nowInSeconds() + SESSION_SECONDS.idle);
}

/** Encodes a session cookie. The token's own `exp` is the idle deadline, never later than the absolute one. */
export function encodeSession(claims: JWT): Promise<string> {
  const maxAge = Math.max(0, sessionDeadline(claims) - nowInSeconds());
  return encode({ token: claims, secret: env.NEXTAUTH_SECRET, maxAge });
}

/** Decodes a session cookie; `null` when it is not ours, was altered, or has ended. */
export async function decodeSession(token: string): Promise<JWT | null> {
  for (const secret of [env.NEXTAUTH_SECRET, ...env.NEXTAUTH_SECRET_PREVIOUS]) {
    const claims = await decode({ token, secret }).catch(() => null);
    if (claims !== null) return sessionDeadline(claims) > nowInSeconds() ? claims : null;
  }
  return null;
}

/** The `Set-Cookie` of a session that starts now, as next-auth sets it at sign-in. */
export async function sessionCookie(user: StoredUser): Promise<string> {
  return setCookie(sessionClaims(user));
}

/**
 * The `Set-Cookie` that moves the idle deadline of the session in `cookies`; `null` without a live session, or when its
 * cookie is younger than five minutes.
 */
export async function renewedSessionCookie(cookies: string | null): Promise<string | null> {
  const token = cookieValue(cookies ?? "", sessionCookieName());
  const claims = token === null ? null : await decodeSession(token);
  if (claims === null || Number(claims["iat"] ?? 0) > nowInSeconds() - SESSION_SECONDS.renewAfter) return null;
  return setCookie(claims);
}

async function setCookie(claims: JWT): Promise<string> {
  const maxAge = Math.max(0, sessionDeadline(claims) - nowInSeconds());
  const attributes = `Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${isServedOverTls() ? "; Secure" : ""}`;
  return `${sessionCookieName()}=${await encodeSession(claims)}; ${attributes}`;
}

/**
 * Reads the claims of the session cookie in a `Cookie` header. `null` when there is none, or when it is not ours, was
 * altered or has expired.
 */
export async function readSession(cookies: string | null): Promise<SessionClaims | null> {
  const token = cookieValue(cookies ?? "", sessionCookieName());
  const { sub, epoch, startedAt } = (token === null ? null : await decodeSession(token)) ?? {};
  if (typeof sub !== "string" || typeof epoch !== "number" || typeof startedAt !== "number") return null;
  return { userId: sub, epoch, startedAt };
}

/** Whether the request has a session cookie, valid or not. */
export function hasSessionCookie(request: Pick<Request, "headers">): boolean {
  return cookieValue(request.headers.get("cookie") ?? "", sessionCookieName()) !== null;
}

/** The value of one cookie in a `Cookie` header; `null` = absent. Of two with one name the last, as Next and next-auth take. */
export function cookieValue(header: string, name: string): string | null {
  const values = header.split(";").flatMap((part) => {
    const [key, ...rest] = part.split("=");
    return key?.trim() === name ? [rest.join("=").trim()] : [];
  });
  return values.at(-1) ?? null;
}

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
