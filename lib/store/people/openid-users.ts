import { holdersOf, mentionsOf } from "@/lib/config/references";
import { AppError } from "@/lib/errors";
import type { Role } from "@/lib/resources/permissions";
import { FORM_NAME } from "@/lib/resources/parts/words";
import { toValue } from "@/lib/store/config/tables";
import { inTurns } from "@/lib/store/db/in-turns";
import type { Stored } from "@/lib/store/save/stored";
import { write, type Actor } from "@/lib/store/save/write";

/** A person as an OpenID provider describes them. */
interface OpenIdPerson {
  /** `iss` and `sub`, which alone identify the person. */
  readonly issuer: string;
  readonly subject: string;
  /** Lower case. */
  readonly email: string;
  readonly displayName: string;
  readonly role: Role;
  readonly groups: readonly string[];
  /** The slug for a new user, unless a user has it or the configuration names it. */
  readonly name: string;
}

/** The actor of changes that the provider causes, before anybody is signed in. */
const PROVIDER: Actor = { kind: "system", name: "OpenID sign-in", role: "admin" };

/**
 * Creates the user of a first sign-in, or updates e-mail, display name, role and groups from the provider, as a normal change in
 * the history. A disabled user stays unchanged. Never matches a user by e-mail address.
 *
 * @returns `last_admin` when the change would demote the last enabled admin; then nothing changes
 * @throws AppError `config_unavailable`
 */
export async function saveOpenIdUser(person: OpenIdPerson): Promise<"saved" | "last_admin"> {
  const { issuer, subject, email, displayName, role } = person;
  const groups = [...person.groups];
  try {
    await write(PROVIDER, async (stored) => {
      const users = await stored.all("users");
      const known = [...users.values()].find((user) => user.issuer === issuer && user.subject === subject);
      if (known === undefined) {
        const name = freeName(person.name, new Set([FORM_NAME, ...users.keys(), ...(await namedUsers(stored))]));
        const after = { name, email, displayName, role, enabled: true, issuer, subject, groups };
        return [{ resource: "users", action: "create", after }];
      }
      if (!known.enabled) return [];
      const after = { ...toValue("users", known), email, displayName, role, groups };
      return [{ resource: "users", action: "update", id: known.name, after }];
    });
    return "saved";
  } catch (error) {
    if (error instanceof AppError && error.code === "conflict" && error.errors.some(({ path }) => path === "role"))
      return "last_admin";
    throw error;
  }
}

/** The users that rows name: the owners of agents and the approvers of policies, also those that do not exist. */
async function namedUsers(stored: Stored): Promise<string[]> {
  const names: string[] = [];
  for (const holder of holdersOf("users"))
    for await (const row of inTurns((await stored.all(holder)).values()))
      for (const { to, name } of mentionsOf(holder, row)) if (to === "users") names.push(name);
  return names;
}

/** `ada`, or `ada-2` and so on when the name is taken: a person chooses it at the provider and must gain nothing by it. */
function freeName(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  for (let count = 2; ; count += 1) {
    const name = `${wanted.slice(0, 56)}-${count}`;
    if (!taken.has(name)) return name;
  }
}
