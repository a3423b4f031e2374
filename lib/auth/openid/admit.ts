import { readClaim } from "@/lib/access/model/claims";
import { isList } from "@/lib/access/model/json";
import type { JsonObject } from "@/lib/access/model/configuration";
import type { Proven } from "@/lib/auth/openid/redeem";
import type { OpenIdSettings } from "@/lib/auth/openid/settings";
import { ROLES, type Role } from "@/lib/resources/permissions";
import { email } from "@/lib/resources/user";
import { keepOpenIdGrant, refuseOpenIdUser } from "@/lib/store/people/openid-grants";
import { endConnectionsOf } from "@/lib/store/oauth/connections";
import { saveOpenIdUser } from "@/lib/store/people/openid-users";
import { endSessions, findOpenIdUser, noteSignIn } from "@/lib/store/config/users";

/** Why a person whom the provider confirms is refused. */
type NotAdmitted = "no_group" | "no_email" | "disabled" | "last_admin";

/**
 * Decides whether a confirmed person may sign in, with the first role of admin, editor, auditor that one of their groups
 * has. Creates the user at the first sign-in and updates the role at each one. A refused person loses all sessions,
 * connections and personal tokens.
 *
 * @param now epoch milliseconds
 * @returns `null` = they may sign in
 */
export async function admit(
  { subject, claims, grant }: Proven,
  settings: OpenIdSettings,
  now: number,
  why: "sign-in" | "recheck" = "sign-in",
): Promise<NotAdmitted | null> {
  const { issuer } = settings;
  const refusal = await refusalOf(subject, claims, settings);
  const user = await findOpenIdUser(issuer, subject);
  if (refusal !== null) {
    if (user === null) return refusal;
    await refuseOpenIdUser(user.id);
    await endConnectionsOf(user.id);
    await endSessions(user.id, user.sessionEpoch);
    return refusal;
  }
  if (user === null || !user.enabled) return "disabled";
  await keepOpenIdGrant(user.id, grant, now);
  if (why === "sign-in") await noteSignIn(user.id, now);
  return null;
}

async function refusalOf(
  subject: string,
  claims: JsonObject,
  settings: OpenIdSettings,
): Promise<Exclude<NotAdmitted, "disabled"> | null> {
  const groups = groupsOf(claims, settings);
  const role = roleOf(groups, settings);
  if (role === null) return "no_group";
  const address = addressOf(claims);
  if (address === null) return "no_email";
  const displayName = textOf(claims["name"]).slice(0, 200);
  const kept = groups.slice(0, MAX_GROUPS);
  const person = { issuer: settings.issuer, subject, role, email: address, displayName, name: nameOf(claims, address) };
  return (await saveOpenIdUser({ ...person, groups: kept })) === "saved" ? null : "last_admin";
}

/** Most groups of a person that are stored, and the most characters of one. */
const MAX_GROUPS = 500;
const MAX_GROUP_CHARACTERS = 200;

/** A text claim counts as a list of one group, as in policies (docs/reference/decision.md#operators). */
function groupsOf(claims: JsonObject, { groupsClaim }: OpenIdSettings): string[] {
  const value = readClaim(claims, groupsClaim) ?? [];
  return (isList(value) ? value : [value]).filter(
    (group) => textOf(group) === group && group !== "" && group.length <= MAX_GROUP_CHARACTERS,
  ) as string[];
}

/** Groups match exactly. */
function roleOf(held: readonly string[], { groups }: OpenIdSettings): Role | null {
  return ROLES.find((role) => groups[role].some((group) => held.includes(group))) ?? null;
}

/** The e-mail address, or a user name that looks like one for accounts without a mailbox. For display; it proves nothing. */
function addressOf(claims: JsonObject): string | null {
  const candidates = [claims["email"], claims["preferred_username"], claims["upn"]];
  return candidates.map((value) => email.safeParse(value)).find(({ success }) => success)?.data ?? null;
}

/** Makes a slug of the user name or address: the part before `@`, with the characters that a name may have. */
function nameOf(claims: JsonObject, address: string): string {
  const [local = ""] = (textOf(claims["preferred_username"]) || address).split("@");
  const name = local.replaceAll(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "");
  return name.slice(0, 64) || "person";
}

/** Text that can be stored; empty for any other value. */
function textOf(value: unknown): string {
  return typeof value === "string" && !/\p{C}/u.test(value) ? value.trim() : "";
}
