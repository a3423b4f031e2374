import { AppError } from "@/lib/errors";
import { clientAddress } from "@/lib/auth/client-address";
import { requireOwnOrigin, requireOwnSite } from "@/lib/auth/people/origin";
import { freshUser, recheckBeside } from "@/lib/auth/people/openid/recheck";
import { hasSessionCookie, readSession } from "@/lib/auth/people/session";
import { isToken } from "@/lib/store/keys/credentials";
import { countRefusal } from "@/lib/store/audit/refusals";
import { forPage } from "@/lib/store/db/database";
import { findUsableToken } from "@/lib/store/people/tokens";
import { findUser, type StoredUser } from "@/lib/store/config/users";
import type { Actor } from "@/lib/store/save/write";
import { can, type Permission, type Role } from "@/lib/resources/permissions";

/** Who opened an admin route: a person with a session, or automation with a personal access token. */
export interface Person {
  /** Who a change is written down for. */
  readonly actor: Actor;
  /** As stored now, not as it was at sign-in. */
  readonly role: Role;
  /** What the shell shows: the person's name, or the token's. */
  readonly userName: string;
  /** The person's id in the store; `null` for a token. */
  readonly userId: string | null;
  /** Whether there is a password of theirs to change. */
  readonly hasPassword: boolean;
}

/** The `authenticate` of an admin route. */
interface Authorized {
  (request: Request): Promise<Person>;
  readonly onRefused: typeof onRefused;
  readonly within: typeof forPage;
}

/**
 * The `authenticate` of an admin route: the caller, who must have the permission.
 *
 * @throws AppError `unauthenticated` (401), or `forbidden` (403) naming the permission
 */
export function user(permission: Permission): Authorized {
  return Object.assign((request: Request) => authorize(request, permission), {
    onRefused,
    within: forPage,
  });
}

/** Counts what a route forbids beyond its permission, such as a change that the role may not make. */
export function onRefused({ actor }: Person, error: AppError, request: Request): void {
  if (error.code === "forbidden") countForbidden(actor, error, request);
}

function countForbidden({ kind, name }: Actor, { extra, message }: AppError, request: Request): void {
  const { permission } = extra;
  // A message may name a row; a permission is one of ours.
  const reason = typeof permission === "string" ? `needs ${permission}` : message.replaceAll(/`[^`]*`/g, "…");
  const by = { kind: kind === "token" ? "token" : "user", name } as const;
  countRefusal({ action: "refused.forbidden", reason, by, address: clientAddress(request.headers) });
}

/** The same where the permission depends on the request, as in `/api/admin/[resource]`. */
export async function authorize(request: Request, permission: Permission): Promise<Person> {
  const person = await authenticate(request);
  if (can(person.role, permission)) return person;
  const refusal = new AppError(
    "forbidden",
    `This needs the permission \`${permission}\`, which the role \`${person.role}\` does not have.`,
    {
      extra: { permission },
    },
  );
  countForbidden(person.actor, refusal, request);
  throw refusal;
}

/**
 * The caller, whatever the permission. A bearer credential is never mixed with a cookie; one that is
 * not a personal access token (an agent's key or JWT) opens nothing here (docs/reference/http.md#authentication).
 */
export async function authenticate(request: Request): Promise<Person> {
  const bearer = request.headers.get("authorization");
  if (bearer !== null) return personOfToken(bearer, request);
  if (!hasSessionCookie(request)) throw signedOut("Sign in, or send a personal access token.");
  requireOwnOrigin(request);
  requireOwnSite(request);
  const person = await personOfSession(request.headers.get("cookie"));
  if (person === null) throw signedOut("The session has ended: sign in again.");
  return person;
}

/** The person behind a `Cookie` header; `null` when nobody is signed in. The user is read each time. */
export async function personOfSession(cookies: string | null): Promise<Person | null> {
  const claims = await readSession(cookies);
  if (claims === null) return null;
  const known = await findUser(claims.userId);
  const found = known === null ? null : await freshUser(known, Date.now());
  if (found === null || !found.enabled || found.sessionEpoch !== claims.epoch) return null;
  return {
    actor: actorOf(found),
    role: found.role,
    userName: nameOf(found),
    userId: found.id,
    hasPassword: found.issuer === null,
  };
}

/** Whom events and changes of a person name. */
export function actorOf({ issuer, email, name, role }: StoredUser): Actor {
  // The e-mail of someone from an OpenID provider may be anybody's; their name here is one person's.
  return { kind: "user", name: issuer === null ? email : name, role };
}

/** Counts a credential that opens no admin route. */
function countCredential(reason: string, request: Request): void {
  const address = clientAddress(request.headers);
  countRefusal({ action: "refused.session", reason, by: { kind: "address", name: address }, address });
}

async function personOfToken(header: string, request: Request): Promise<Person> {
  const [scheme, text = ""] = header.split(" ");
  if (scheme?.toLowerCase() !== "bearer" || !isToken(text)) {
    countCredential("Not a personal access token.", request);
    throw signedOut(
      "Admin routes take a session cookie or a personal access token `qmp_…`; agent credentials do not open them.",
    );
  }
  const usable = await findUsableToken(text, Date.now());
  if (usable === null) {
    countCredential("Unknown, disabled or expired personal access token.", request);
    throw signedOut(
      "This personal access token is unknown, disabled or expired, or its maker may not sign in any more.",
    );
  }
  const { token, owner } = usable;
  if (owner !== null) recheckBeside(owner, Date.now());
  return {
    actor: { kind: "token", name: token.name, role: token.role },
    role: token.role,
    userName: token.name,
    userId: null,
    hasPassword: false,
  };
}

/** How the shell greets someone. */
function nameOf({ displayName, name }: StoredUser): string {
  return displayName === "" ? name : displayName;
}

function signedOut(message: string): AppError {
  return new AppError("unauthenticated", message, {
    headers: { "www-authenticate": 'Bearer realm="quartermaster-admin"' },
  });
}
