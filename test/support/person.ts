import { encodeSession, sessionClaims, sessionCookieName } from "@/lib/auth/people/session";
import type { Role } from "@/lib/resources/permissions";
import { db } from "@/lib/store/db/database";
import { findUserByEmail, type StoredUser } from "@/lib/store/config/users";

/** The origin of the app in tests, as test/support/vitest/environment.ts sets it. */
export const ORIGIN = "http://127.0.0.1:3000";

/**
 * Headers of a signed-in person with this role: a real session cookie of a stored user (made when there
 * is none), and our own `Origin`, so that changes are accepted too.
 */
export async function signIn(role: Role): Promise<{ cookie: string; origin: string }> {
  const email = `${role}@example.com`;
  const person = (await findUserByEmail(email)) ?? (await addPerson({ email, name: `the-${role}`, role }));
  return { cookie: await cookieOf(person), origin: ORIGIN };
}

/** A session cookie of a person, as sign-in makes it. */
export async function cookieOf(person: StoredUser): Promise<string> {
  return `${sessionCookieName()}=${await encodeSession(sessionClaims(person))}`;
}

/** A user put into the database past the configuration: no revision, no change row. */
export async function addPerson(
  person: Pick<StoredUser, "email" | "name" | "role"> & { passwordHash?: string },
): Promise<StoredUser> {
  await db().user.create({ data: { ...person, displayName: `The ${person.role}` } });
  return (await findUserByEmail(person.email))!;
}
