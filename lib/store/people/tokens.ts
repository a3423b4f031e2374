import { AppError } from "@/lib/errors";
import { DEFAULT_KEY_DAYS } from "@/lib/resources/api-key";
import { lesserRole } from "@/lib/resources/permissions";
import { MAX_TOKEN_DAYS, type TokenInput, type TokenRow } from "@/lib/resources/token";
import { crud } from "@/lib/store/config/crud";
import { hashCredential, isToken, mintToken } from "@/lib/store/keys/credentials";
import { db } from "@/lib/store/db/database";
import { flag, text } from "@/lib/store/db/filters";
import { expiry, touched } from "@/lib/store/keys/last-used";
import { toStored } from "@/lib/store/config/tables";
import { translated } from "@/lib/store/db/translate";
import { findUser, type StoredUser } from "@/lib/store/config/users";
import { write, type Actor } from "@/lib/store/save/write";

const store = crud({
  resource: "tokens",
  search: ["name", "createdBy"],
  sort: { name: "text", role: "text", expiresAt: "time", createdAt: "time", updatedAt: "time" },
  filters: { role: text("role"), enabled: flag("enabled") },
  merge: (input: TokenInput, before) => {
    const expiresAt = input.expiresAt ?? before.expiresAt;
    // One from before there was a limit may be switched off and on as it is: it ends after a year all the same.
    if (expiresAt !== before.expiresAt) requireWithinYear(expiresAt, new Date(before.createdAt));
    return { ...input, expiresAt, lastFour: before.lastFour, createdBy: before.createdBy };
  },
});

/** @throws AppError `invalid_request` */
function requireWithinYear(expiresAt: string, createdAt: Date): void {
  if (expiresAt <= expiry(MAX_TOKEN_DAYS, createdAt)) return;
  throw new AppError("invalid_request", "An access token works for at most a year.", {
    errors: [{ path: "expiresAt", message: `must be at most ${MAX_TOKEN_DAYS} days after the token was made` }],
  });
}

/** The owner of a token whose maker is no person here: nobody has this id, so the token is refused. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

/** The person behind an actor: themselves, or the owner of the token that makes another; `null` for the command line. */
async function ownerOf({ kind, name }: Actor): Promise<string | null> {
  if (kind === "system") return null;
  if (kind === "token") return ((await db().token.findUnique({ where: { name } })) ?? { ownerId: NOBODY }).ownerId;
  const where = {
    OR: [
      { email: name, issuer: null },
      { name, issuer: { not: null } },
    ],
  };
  return ((await db().user.findFirst({ where })) ?? { id: NOBODY }).id;
}

/** Personal access tokens: `create` answers the token, this once. */
export const tokens = {
  ...store,
  create: async (actor: Actor, input: TokenInput): Promise<TokenRow & { readonly token: string }> => {
    const { token, hash, lastFour } = mintToken();
    const expiresAt = input.expiresAt ?? expiry(DEFAULT_KEY_DAYS);
    requireWithinYear(expiresAt, new Date());
    const ownerId = await translated(() => ownerOf(actor));
    const after = { ...input, expiresAt, lastFour, createdBy: actor.name };
    await write(actor, () => [{ resource: "tokens", action: "create", after, secret: { hash, ownerId } }]);
    return { ...(await store.get(input.name)), token };
  },
};

/** A token that may be used, and its maker as they are now; `null` = it was made on the command line. */
export interface UsableToken {
  readonly token: TokenRow;
  readonly owner: StoredUser | null;
}

/**
 * The token that a text is, and notes its use; `null` when it is none, unknown, disabled, expired or a year old, or its
 * maker is deleted, disabled or refused by the OpenID provider. It acts with the lesser of its role and its maker's; between
 * editor and auditor there is none, and the token is refused.
 *
 * @param now epoch milliseconds
 */
export async function findUsableToken(given: string, now: number): Promise<UsableToken | null> {
  if (!isToken(given)) return null;
  const hash = hashCredential(given);
  const record = await translated(() => db().token.findUnique({ where: { hash } }));
  if (record === null) return null;
  const token = toStored("tokens", record) as TokenRow;
  const ends = Math.min(Date.parse(token.expiresAt), Date.parse(expiry(MAX_TOKEN_DAYS, record.createdAt)));
  if (!token.enabled || ends <= now) return null;
  const owner = record.ownerId === null ? null : await findUser(record.ownerId);
  if (record.ownerId !== null && (owner === null || !owner.enabled || owner.openIdRefused)) return null;
  const role = owner === null ? token.role : lesserRole(token.role, owner.role);
  if (role === null) return null;
  touchToken(token.name);
  return { token: { ...token, role }, owner };
}

/** At most once a minute, and never in the caller's way. */
function touchToken(name: string): void {
  touched(`token:${name}`, (at) => db().token.updateMany({ where: { name }, data: { lastUsedAt: at } }));
}
