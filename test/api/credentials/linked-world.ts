import * as account from "@/app/api/admin/linked-accounts/[name]/route";
import * as start from "@/app/api/admin/linked-accounts/[name]/start/route";
import * as callback from "@/app/api/linked-accounts/callback/route";
import { mintSession, sessionCookieName } from "@/lib/auth/people/session";
import type { LinkStatus } from "@/lib/contracts/people/linked-account";
import { env } from "@/lib/env";
import type { Role } from "@/lib/resources/permissions";
import { findUser, type StoredUser } from "@/lib/store/config/users";
import { db } from "@/lib/store/db/database";
import { ask, type Got } from "@/test/support/admin";
import { signInAt } from "@/test/support/servers/link-server";

/** A person of the tests, with the session of one browser. */
export interface LinkingUser {
  readonly user: StoredUser;
  readonly headers: { readonly cookie: string; readonly origin: string };
}

/** A person whom an OpenID provider knows as `subject`, signed in. */
export async function addOpenIdPerson(name: string, issuer: string, role: Role = "auditor"): Promise<LinkingUser> {
  const facts = { name, email: `${name}@example.com`, role, issuer, subject: name, displayName: "" };
  const { id } = await db().user.create({ data: { ...facts, openIdCheckedAt: new Date(Date.now() + 3_600_000) } });
  const user = await findUser(id);
  if (user === null) throw new Error(`${name} was not stored`);
  return { user, headers: await sessionOf(user) };
}

/** The headers of a browser in which a person is signed in. */
export async function sessionOf(user: StoredUser): Promise<LinkingUser["headers"]> {
  return { cookie: `${sessionCookieName()}=${await mintSession(user)}`, origin: new URL(env.NEXTAUTH_URL).origin };
}

/** Presses the button of the connect page. */
export function begin(source: string, { headers }: LinkingUser): Promise<Got<{ url: string; detail: string }>> {
  const path = `/api/admin/linked-accounts/${source}/start`;
  return ask(start.POST, "POST", path, { params: { name: source }, headers });
}

/** Comes back from the upstream: the path of the page and its query. */
export async function comeBack(address: URL, { headers }: Pick<LinkingUser, "headers">): Promise<string> {
  const answer = await callback.GET(new Request(address, { headers: { cookie: headers.cookie } }));
  if (answer.status !== 303) throw new Error(`${answer.status} ${await answer.text()}`);
  const { pathname, search } = new URL(answer.headers.get("location") ?? "");
  return pathname + search;
}

/** Links an account: begins, signs in at the upstream as `as`, and comes back. */
export async function linkAccount(source: string, person: LinkingUser, as: string): Promise<string> {
  const begun = await begin(source, person);
  if (begun.status !== 200) throw new Error(begun.text);
  return comeBack(await signInAt(begun.json.url, as, person.headers.origin), person);
}

/** The facts of the connect page. */
export async function statusOf(source: string, { headers }: LinkingUser): Promise<LinkStatus> {
  const path = `/api/admin/linked-accounts/${source}`;
  return (await ask<LinkStatus>(account.GET, "GET", path, { params: { name: source }, headers })).json;
}

/** Ends a linked account. */
export function endAccount(source: string, { headers }: LinkingUser): Promise<Got<{ upstream: string }>> {
  return ask(account.DELETE, "DELETE", `/api/admin/linked-accounts/${source}`, { params: { name: source }, headers });
}
