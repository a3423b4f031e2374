import { AppError } from "@/lib/errors";
import { clientAddress } from "@/lib/auth/client-address";
import { requireOwnOrigin, requireOwnSite } from "@/lib/auth/people/origin";
import { freshUser, recheckBeside } from "@/lib/auth/openid/recheck";
import { hasSessionCookie, readSession } from "@/lib/auth/people/session";
import { isToken } from "@/lib/store/keys/credentials";
import { countRefusal } from "@/lib/store/audit/refusals";
import { forPerson } from "@/lib/store/db/database";
import { findUsableToken } from "@/lib/store/people/tokens";
import { actorOf, findUser, type StoredUser } from "@/lib/store/config/users";
import type { Actor } from "@/lib/store/save/write";
import { can, type Permission, type Role } from "@/lib/resources/permissions";

/** The caller of an admin route: a person with a session, or automation with a personal access token. */
export interface Person {
  /** The author of changes and audit events. */
  readonly actor: Actor;
  /** The present role, not the one at sign-in. */
  readonly role: Role;
  /** The name for the page header: the person's, or the token's. */
  readonly userName: string;
  /** The person's id in the store; `null` for a token. */
  readonly userId: string | null;
  /** When the person signed in, epoch seconds; `null` for a token. */
  readonly signedInAt: number | null;
  /** Whether the person has a password to change. */
  readonly hasPassword: boolean;
}

/** The `authenticate` of an admin route. */
interface Authorized {
  (request: Request): Promise<Person>;
  readonly onRefused: typeof onRefused;
  readonly within: typeof forPerson;
}

/**
 * The `authenticate` of an admin route. Requires the permission.
 *
 * @throws AppError `unauthenticated` (401), or `forbidden` (403) naming the permission
 */
export function user(permission: Permission): Authorized {
  return Object.assign((request: Request) => authorize(request, permission), {
    onRefused,
    within: forPerson,
  });
}

/** Counts refusals beyond the route's permission, such as a change that the role may not make. */
function onRefused({ actor }: Person, error: AppError, request: Request): void {
  if (error.code === "forbidden") countForbidden(actor, error, request);
}

function countForbidden({ kind, name }: Actor, { extra, message }: AppError, request: Request): void {
  const { permission } = extra;
  // A message may name a row. A permission is a fixed word.
  const reason = typeof permission === "string" ? `needs ${permission}` : message.replaceAll(/`[^`]*`/g, "…");
  const by = { kind: kind === "token" ? "token" : "user", name } as const;
  countRefusal({ action: "refused.forbidden", reason, by, address: clientAddress(request.headers) });
}

/** Authorizes a request whose permission depends on its address, as in `/api/admin/[resource]`. */
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
 * Authenticates the caller without a permission check. A bearer credential is never combined with a cookie. Only personal
 * access tokens count here, not agents' keys or JWTs (docs/reference/http.md#authentication).
 */
async function authenticate(request: Request): Promise<Person> {
  const person = await identify(request);
  const reason = statedReason(request);
  if (reason !== null) return { ...person, actor: { ...person.actor, reason } };
  return prefersReason(request) ? { ...person, actor: { ...person.actor, wantsReasonPrompt: () => true } } : person;
}

async function identify(request: Request): Promise<Person> {
  const bearer = request.headers.get("authorization");
  if (bearer !== null) return personOfToken(bearer, request);
  if (!hasSessionCookie(request)) throw signedOut("Sign in, or send a personal access token.");
  requireOwnOrigin(request);
  requireOwnSite(request);
  const person = await personOfSession(request.headers.get("cookie"));
  if (person === null) throw signedOut("The session has ended: sign in again.");
  return person;
}

/** Whether the header `Prefer` (RFC 7240) has the preference `review-reason`. */
function prefersReason({ headers }: Request): boolean {
  const preferences = (headers.get("prefer") ?? "").split(",");
  return preferences.some((preference) => preference.trim().toLowerCase() === "review-reason");
}

const MAX_REASON = 500;

/** The reason of a change, percent-encoded in its header; `null` when none is stated. @throws AppError `invalid_request` */
function statedReason({ headers }: Request): string | null {
  const stated = headers.get("review-reason");
  if (stated === null) return null;
  try {
    const reason = decodeURIComponent(stated).trim();
    if (reason.length <= MAX_REASON) return reason === "" ? null : reason;
  } catch {
    // Malformed percent-encoding is refused below.
  }
  const message = `must be percent-encoded UTF-8 of at most ${MAX_REASON} characters`;
  throw new AppError("invalid_request", "The reason of the change is not valid.", {
    errors: [{ path: "Review-Reason", message }],
  });
}

/** The person behind a `Cookie` header; `null` when nobody is signed in. Reads the user every time. */
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
    signedInAt: claims.startedAt,
    hasPassword: found.issuer === null,
  };
}

/** Counts a credential that admin routes refuse. */
function countCredential(reason: string, request: Request): void {
  const address = clientAddress(request.headers);
  countRefusal({ action: "refused.session", reason, by: { kind: "address", name: address }, address });
}

async function personOfToken(header: string, request: Request): Promise<Person> {
  const [scheme, text = ""] = header.split(" ");
  if (scheme?.toLowerCase() !== "bearer" || !isToken(text)) {
    countCredential("Not a personal access token.", request);
    throw signedOut(
      "The admin API accepts a session cookie or a personal access token `qmp_…`, but no agent credentials.",
    );
  }
  const usable = await findUsableToken(text, Date.now());
  if (usable === null) {
    countCredential("Unknown, disabled or expired personal access token.", request);
    throw signedOut(
      "This personal access token is unknown, disabled or expired, or its creator can no longer sign in.",
    );
  }
  const { token, owner } = usable;
  if (owner !== null) recheckBeside(owner, Date.now());
  return {
    actor: { kind: "token", name: token.name, role: token.role },
    role: token.role,
    userName: token.name,
    userId: null,
    signedInAt: null,
    hasPassword: false,
  };
}

/** The name that the page header shows. */
function nameOf({ displayName, name }: StoredUser): string {
  return displayName === "" ? name : displayName;
}

function signedOut(message: string): AppError {
  return new AppError("unauthenticated", message, {
    headers: { "www-authenticate": 'Bearer realm="quartermaster-admin"' },
  });
}
