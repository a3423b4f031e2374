import { AppError } from "@/lib/errors";
import { ROLES, type Role } from "@/lib/resources/permissions";
import type { UserInput, UserRow } from "@/lib/resources/user";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { crud } from "@/lib/store/config/crud";
import { db } from "@/lib/store/db/database";
import { flag, text } from "@/lib/store/db/filters";
import { hashPassword, randomPassword } from "@/lib/store/people/password";
import { toValue, type Connection } from "@/lib/store/config/tables";
import { asCreated } from "@/lib/store/save/review-mode";
import { writeAndRead, type Actor } from "@/lib/store/save/write";

const store = crud({
  resource: "users",
  search: ["name", "email", "displayName"],
  sort: { name: "text", email: "text", role: "text", createdAt: "time", updatedAt: "time" },
  filters: { role: text("role"), email: text("email"), enabled: flag("enabled") },
  merge: (input: UserInput, before) => {
    if (before.issuer !== null) requireProviderFields(input, before);
    return { ...toValue("users", before), ...input };
  },
});

/** Fields that the OpenID provider sets at every sign-in. An admin's change would be lost, so it is refused. */
const PROVIDER_FIELDS = ["email", "displayName", "role"] as const;

/** @throws AppError `invalid_request` */
function requireProviderFields(input: UserInput, before: UserInput): void {
  const changed = PROVIDER_FIELDS.filter((field) => input[field] !== before[field]);
  if (changed.length === 0) return;
  throw new AppError("invalid_request", "This person's OpenID provider sets this field.", {
    errors: changed.map((path) => ({
      path,
      message: "is set by the OpenID provider at every sign-in: change it there, or disable the user here",
    })),
  });
}

/** People who may sign in. `create` returns the first password, which no later answer shows. */
export const users = {
  ...store,
  create: async (actor: Actor, input: UserInput): Promise<UserRow & { readonly password: string }> => {
    const password = randomPassword();
    const passwordHash = await hashPassword(password);
    const after = { ...(await asCreated(actor, input)), issuer: null, subject: null, groups: [] };
    const plan = () => [{ resource: "users", action: "create", after, secret: { passwordHash } } as const];
    return { ...(await writeAndRead(actor, plan, (tx) => store.get(input.name, tx))), password };
  },
};

/** A stored user. Only password checks use the hash outside this folder. */
export interface StoredUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly displayName: string;
  readonly role: Role;
  /** Groups of the OpenID provider. */
  readonly groups: readonly string[];
  /** argon2id PHC string; `null` = no password sign-in. */
  readonly passwordHash: string | null;
  /** `iss` and `sub` of a user who signs in with OpenID Connect; otherwise both are `null`. */
  readonly issuer: string | null;
  readonly subject: string | null;
  readonly enabled: boolean;
  /** Sessions of an earlier epoch have ended. */
  readonly sessionEpoch: number;
  /** Whether the server holds the grant that it needs to ask the OpenID provider about this user. */
  readonly canAskOpenId: boolean;
  /** When the OpenID provider last confirmed this user; `null` = never, or the user signs in with a password. */
  readonly openIdCheckedAt: Date | null;
  /** Whether the OpenID provider's last answer refused this user. */
  readonly openIdRefused: boolean;
}

/** The user with this id; `null` when there is none, or when the stored role is unknown. */
export async function findUser(id: string, connection: Connection = db()): Promise<StoredUser | null> {
  if (!/^[0-9a-f-]{36}$/.test(id)) return null;
  return toUser(await connection.user.findUnique({ where: { id } }));
}

/** The user who signs in with this e-mail address (any case) and a password. */
export async function findUserByEmail(email: string): Promise<StoredUser | null> {
  const where = { email: email.toLowerCase(), issuer: null };
  return toUser(await db().user.findFirst({ where }));
}

/** The user whom an OpenID provider knows as `subject`. Both match exactly (OpenID Connect Core 1.0, 5.7). */
export async function findOpenIdUser(issuer: string, subject: string): Promise<StoredUser | null> {
  const where = { issuer_subject: { issuer, subject } };
  return toUser(await db().user.findUnique({ where }));
}

/** Whether a user with this address (any case) signs in with OpenID Connect. */
export async function isOpenIdEmail(email: string): Promise<boolean> {
  const where = { email: email.toLowerCase(), issuer: { not: null } };
  return (await db().user.count({ where })) > 0;
}

/** The oldest enabled admin; `null` in a new installation. */
export async function firstAdmin(): Promise<StoredUser | null> {
  const where = { role: "admin", enabled: true };
  return toUser(await db().user.findFirst({ where, orderBy: { createdAt: "asc" } }));
}

/** The actor of a person's events and changes. */
export function actorOf({ issuer, email, name, role }: StoredUser): Actor {
  // An OpenID user's e-mail address is not unique here; the name is.
  return { kind: "user", name: issuer === null ? email : name, role };
}

/** Stores the time of a sign-in, epoch milliseconds. */
export async function noteSignIn(id: string, now: number): Promise<void> {
  await db().user.updateMany({ where: { id }, data: { lastSignInAt: new Date(now) } });
}

/** Ends a user's sessions of this epoch. Sessions of a later epoch stay valid. */
export async function endSessions(id: string, epoch: number): Promise<void> {
  const where = { id, sessionEpoch: epoch };
  await db().user.updateMany({ where, data: { sessionEpoch: { increment: 1 } } });
}

/**
 * Sets a password, ends every session of that user (a trigger raises the epoch), and records who did it. Passwords are
 * outside the configuration, so this creates no revision and no change row.
 *
 * @returns the user in the new epoch; `null` when the user was changed since `user` was read, or cannot have a password
 */
export async function setPassword(actor: Actor, user: StoredUser, password: string): Promise<StoredUser | null> {
  const passwordHash = await hashPassword(password);
  return db().$transaction(async (tx) => {
    const where = { id: user.id, sessionEpoch: user.sessionEpoch, issuer: null };
    if ((await tx.user.updateMany({ where, data: { passwordHash } })).count === 0) return null;
    await recordAuditEvent({ actor, action: "users.password", target: user.email, requestId: null }, tx);
    return toUser(await tx.user.findUnique({ where: { id: user.id } }));
  });
}

interface UserColumns extends Omit<StoredUser, "role" | "canAskOpenId"> {
  readonly role: string;
  readonly openIdGrant: string | null;
}

function toUser(row: UserColumns | null): StoredUser | null {
  const role = ROLES.find((known) => known === row?.role);
  if (row === null || role === undefined) return null;
  const { id, name, email, displayName, passwordHash, issuer, subject, enabled, sessionEpoch, groups } = row;
  const { openIdCheckedAt, openIdRefused, openIdGrant } = row;
  const openId = { issuer, subject, openIdCheckedAt, openIdRefused, canAskOpenId: openIdGrant !== null };
  return { id, name, email, displayName, role, groups, passwordHash, enabled, sessionEpoch, ...openId };
}
