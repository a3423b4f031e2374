import { ROLES, type Role } from "@/lib/resources/permissions";
import { db } from "@/lib/store/database";
import { translated } from "@/lib/store/translate";

/** Someone who may sign in, as stored. The hash leaves this folder only to be compared. */
export interface StoredUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** argon2id PHC string; `null` = no password sign-in. */
  readonly passwordHash: string | null;
  readonly enabled: boolean;
  /** Grows when every earlier session must end. */
  readonly sessionEpoch: number;
}

/** What a new user is made of. */
export interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly passwordHash: string | null;
}

/** The user with this id; `null` when there is none. A stored role that we do not know is nobody's role. */
export async function findUser(id: string): Promise<StoredUser | null> {
  if (!/^[0-9a-f-]{36}$/.test(id)) return null;
  return toUser(await translated(() => db().user.findUnique({ where: { id } })));
}

/** The user who signs in with this e-mail address (any case). */
export async function findUserByEmail(email: string): Promise<StoredUser | null> {
  return toUser(await translated(() => db().user.findUnique({ where: { email: email.toLowerCase() } })));
}

/** Adds a user. @throws AppError `conflict` when the address is taken */
export async function createUser(user: NewUser): Promise<StoredUser> {
  const row = await translated(() => db().user.create({ data: { ...user, email: user.email.toLowerCase() } }));
  const made = toUser(row);
  if (made === null) throw new Error("The user that was just written cannot be read.");
  return made;
}

/** The admin who is here longest; `null` in a new installation. */
export async function firstAdmin(): Promise<StoredUser | null> {
  const where = { role: "admin", enabled: true };
  return toUser(await translated(() => db().user.findFirst({ where, orderBy: { createdAt: "asc" } })));
}

/** How many enabled admins there are: the last one can be neither removed nor demoted. */
export async function countAdmins(): Promise<number> {
  return translated(() => db().user.count({ where: { role: "admin", enabled: true } }));
}

/** Writes down the time of a sign-in, epoch milliseconds. */
export async function noteSignIn(id: string, now: number): Promise<void> {
  await translated(() => db().user.updateMany({ where: { id }, data: { lastSignInAt: new Date(now) } }));
}

interface UserColumns extends Omit<StoredUser, "role"> {
  readonly role: string;
}

function toUser(row: UserColumns | null): StoredUser | null {
  const role = ROLES.find((known) => known === row?.role);
  if (row === null || role === undefined) return null;
  const { id, email, name, passwordHash, enabled, sessionEpoch } = row;
  return { id, email, name, role, passwordHash, enabled, sessionEpoch };
}
