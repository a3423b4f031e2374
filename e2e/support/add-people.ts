import { encode } from "next-auth/jwt";
import { encodeSession, sessionClaims, sessionCookieName } from "@/lib/auth/people/session";
import { env } from "@/lib/env";
import type { Role } from "@/lib/resources/permissions";
import { closeDatabase } from "@/lib/store/db/database";
import { findUserByEmail, setPassword, users, type StoredUser } from "@/lib/store/config/users";
import type { Actor } from "@/lib/store/save/write";

// tsx e2e/support/add-people.ts ADMIN-EMAIL PASSWORD: adds the people of the journeys to the database of the
// server under test and prints, as JSON, a session cookie of each — made by what sign-in makes them with — and two of the
// administrator's: one that ended a minute ago, and one of a sign-in 11 minutes ago.

const JOURNEYS: Actor = { kind: "system", name: "journeys", role: "admin" };
const [adminEmail = "", password = ""] = process.argv.slice(2);

async function cookieOf(role: Role): Promise<string> {
  if (role === "admin") {
    const admin = await findUserByEmail(adminEmail);
    if (admin === null) throw new Error(`There is no ${adminEmail}.`);
    return encodeSession(sessionClaims(admin));
  }
  return encodeSession(sessionClaims(await addPerson(role, role)));
}

async function endedCookie(): Promise<string> {
  const admin = await findUserByEmail(adminEmail);
  return encode({ token: sessionClaims(admin!), secret: env.NEXTAUTH_SECRET, maxAge: -60 });
}

async function earlierCookie(): Promise<string> {
  const claims = sessionClaims((await findUserByEmail(adminEmail))!);
  return encodeSession({ ...claims, startedAt: claims.startedAt - 11 * 60 });
}

async function addPerson(name: string, role: Role): Promise<StoredUser> {
  const email = `${name}@example.com`;
  await users.create(JOURNEYS, { name, email, displayName: `The ${name}`, role, enabled: true });
  const added = await findUserByEmail(email);
  const user = added === null ? null : await setPassword(JOURNEYS, added, password);
  if (user === null) throw new Error(`${email} was not added.`);
  return user;
}

try {
  const cookies = {
    admin: await cookieOf("admin"),
    editor: await cookieOf("editor"),
    auditor: await cookieOf("auditor"),
  };
  // Signing out ends every session of a person, so this person is for one journey only.
  await addPerson("leaver", "editor");
  const further = { endedCookie: await endedCookie(), earlierCookie: await earlierCookie() };
  console.log(JSON.stringify({ cookieName: sessionCookieName(), cookies, ...further }));
} finally {
  await closeDatabase();
}
