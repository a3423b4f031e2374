import { AppError } from "@/lib/errors";
import { DEFAULT_KEY_DAYS } from "@/lib/resources/api-key";
import { lesserRole } from "@/lib/resources/permissions";
import { MAX_TOKEN_DAYS, type TokenInput, type TokenRow } from "@/lib/resources/token";
import { crud } from "@/lib/store/config/crud";
import { hashCredential, isToken, mintToken } from "@/lib/store/keys/credentials";
import { db } from "@/lib/store/db/database";
import { flag, text } from "@/lib/store/db/filters";
import type { Token } from "@/lib/store/generated/client";
import { personIdOf } from "@/lib/store/people/person-of";
import { expiry, noteUse } from "@/lib/store/keys/last-used";
import { toStored, type Connection } from "@/lib/store/config/tables";
import { findUser, type StoredUser } from "@/lib/store/config/users";
import { asCreated } from "@/lib/store/save/review-mode";
import { writeAndRead, type Actor } from "@/lib/store/save/write";

const store = crud({
  resource: "tokens",
  search: ["name", "createdBy"],
  sort: { name: "text", role: "text", expiresAt: "time", createdAt: "time", updatedAt: "time" },
  filters: { role: text("role"), enabled: flag("enabled") },
  merge: (input: TokenInput, before) => {
    const expiresAt = input.expiresAt ?? before.expiresAt;
    // A token from before the limit may be switched off and on unchanged: it ends after a year anyway.
    if (expiresAt !== before.expiresAt) requireWithinYear(expiresAt, new Date(before.createdAt));
    return { ...input, expiresAt, lastFour: before.lastFour, createdBy: before.createdBy };
  },
});

/** @throws AppError `invalid_request` */
function requireWithinYear(expiresAt: string, createdAt: Date): void {
  if (expiresAt <= expiry(MAX_TOKEN_DAYS, createdAt)) return;
  throw new AppError("invalid_request", "An access token is valid for at most one year.", {
    errors: [{ path: "expiresAt", message: `must be at most ${MAX_TOKEN_DAYS} days after the token was made` }],
  });
}

/** Personal access tokens. `create` returns the token, which no later answer shows. */
export const tokens = {
  ...store,
  create: async (actor: Actor, input: TokenInput): Promise<TokenRow & { readonly token: string }> => {
    const { token, hash, lastFour } = mintToken();
    const expiresAt = input.expiresAt ?? expiry(DEFAULT_KEY_DAYS);
    requireWithinYear(expiresAt, new Date());
    const ownerId = await personIdOf(actor);
    const after = { ...(await asCreated(actor, input)), expiresAt, lastFour, createdBy: actor.name };
    const plan = () => [{ resource: "tokens", action: "create", after, secret: { hash, ownerId } } as const];
    return { ...(await writeAndRead(actor, plan, (tx) => store.get(input.name, tx))), token };
  },
};

/** A usable token and its present owner; `null` = created on the command line. */
interface UsableToken {
  readonly token: TokenRow;
  readonly owner: StoredUser | null;
}

/**
 * Finds the token of a text and records its use. Returns `null` for an unknown one, and as `usable` does.
 *
 * @param now epoch milliseconds
 */
export async function findUsableToken(given: string, now: number): Promise<UsableToken | null> {
  if (!isToken(given)) return null;
  const found = await usable(await db().token.findUnique({ where: { hash: hashCredential(given) } }), now);
  if (found !== null) touchToken(found.token.name);
  return found;
}

/** The token of this name, if `findUsableToken` would find it now. */
export async function findUsableTokenNamed(
  name: string,
  now: number,
  connection: Connection,
): Promise<UsableToken | null> {
  return usable(await connection.token.findUnique({ where: { name } }), now, connection);
}

/**
 * A stored token and its owner. The token gets the lesser of two roles: its own and that of its owner. Returns `null` when the
 * token is disabled, expired or a year old, or when its owner is deleted, disabled or refused by the OpenID provider. Neither
 * of editor and auditor is the lesser role, so a token with these two is refused.
 */
async function usable(record: Token | null, now: number, connection: Connection = db()): Promise<UsableToken | null> {
  if (record === null) return null;
  const token = toStored("tokens", record) as TokenRow;
  const ends = Math.min(Date.parse(token.expiresAt), Date.parse(expiry(MAX_TOKEN_DAYS, record.createdAt)));
  if (!token.enabled || ends <= now) return null;
  const owner = record.ownerId === null ? null : await findUser(record.ownerId, connection);
  if (record.ownerId !== null && (owner === null || !owner.enabled || owner.openIdRefused)) return null;
  const role = owner === null ? token.role : lesserRole(token.role, owner.role);
  return role === null ? null : { token: { ...token, role }, owner };
}

/** Records a use at most once a minute, in the background. */
function touchToken(name: string): void {
  noteUse(`token:${name}`, (at) => db().token.updateMany({ where: { name }, data: { lastUsedAt: at } }));
}
