import { AppError } from "@/lib/errors";
import type { Role } from "@/lib/resources/permissions";
import { toValue } from "@/lib/store/config/tables";
import { write, type Actor } from "@/lib/store/save/write";

/** What an OpenID provider says of someone, in our words. */
export interface OpenIdPerson {
  /** `iss` and `sub`: who they are, whatever the rest says. */
  readonly issuer: string;
  readonly subject: string;
  /** Lower case. */
  readonly email: string;
  readonly displayName: string;
  readonly role: Role;
  /** The slug that a new user gets, unless it is taken. */
  readonly name: string;
}

/** The provider's word changes users, through a program that nobody is signed in to yet. */
const PROVIDER: Actor = { kind: "system", name: "OpenID sign-in", role: "admin" };

/**
 * Makes the user of a first sign-in, or brings e-mail, display name and role to what the provider says now: a
 * change like any other, in the history. A disabled user stays as they are. Nobody is found by e-mail address.
 *
 * @returns whether that could be: the last enabled admin is not demoted, and keeps everything as it was
 * @throws AppError `config_unavailable`
 */
export async function saveOpenIdUser(person: OpenIdPerson): Promise<"saved" | "last_admin"> {
  const { issuer, subject, email, displayName, role } = person;
  try {
    await write(PROVIDER, async (stored) => {
      const users = await stored.all("users");
      const known = [...users.values()].find((user) => user.issuer === issuer && user.subject === subject);
      if (known === undefined) {
        const name = freeName(person.name, users);
        const after = { name, email, displayName, role, enabled: true, issuer, subject };
        return [{ resource: "users", action: "create", after }];
      }
      if (!known.enabled) return [];
      const after = { ...toValue("users", known), email, displayName, role };
      return [{ resource: "users", action: "update", id: known.name, after }];
    });
    return "saved";
  } catch (error) {
    if (error instanceof AppError && error.code === "conflict" && error.errors.some(({ path }) => path === "role"))
      return "last_admin";
    throw error;
  }
}

/** `ada`, or `ada-2` and so on where others have the name. */
function freeName(wanted: string, taken: ReadonlyMap<string, unknown>): string {
  if (!taken.has(wanted)) return wanted;
  for (let count = 2; ; count += 1) {
    const name = `${wanted.slice(0, 56)}-${count}`;
    if (!taken.has(name)) return name;
  }
}
