import { DEFAULT_KEY_DAYS } from "@/lib/resources/api-key";
import type { TokenInput, TokenRow } from "@/lib/resources/token";
import { crud } from "@/lib/store/crud";
import { hashCredential, isToken, mintToken } from "@/lib/store/credentials";
import { db } from "@/lib/store/database";
import { flag, text } from "@/lib/store/filters";
import { expiry, touched } from "@/lib/store/last-used";
import { toStored } from "@/lib/store/tables";
import { translated } from "@/lib/store/translate";
import { write, type Actor } from "@/lib/store/write";

const store = crud({
  resource: "tokens",
  search: ["name", "createdBy"],
  sort: { name: "text", role: "text", expiresAt: "time", createdAt: "time", updatedAt: "time" },
  filters: { role: text("role"), enabled: flag("enabled") },
  merge: (input: TokenInput, before) => ({
    ...input,
    expiresAt: input.expiresAt ?? before.expiresAt,
    lastFour: before.lastFour,
    createdBy: before.createdBy,
  }),
});

/** Personal access tokens: `create` answers the token, this once. */
export const tokens = {
  ...store,
  create: async (actor: Actor, input: TokenInput): Promise<TokenRow & { readonly token: string }> => {
    const { token, hash, lastFour } = mintToken();
    const expiresAt = input.expiresAt ?? expiry(DEFAULT_KEY_DAYS);
    const after = { ...input, expiresAt, lastFour, createdBy: actor.name };
    await write(actor, () => [{ resource: "tokens", action: "create", after, secret: { hash } }]);
    return { ...(await store.get(input.name)), token };
  },
};

/**
 * The token that a text is, and notes its use; `null` when it is none, unknown, disabled or expired.
 *
 * @param now epoch milliseconds
 */
export async function findUsableToken(given: string, now: number): Promise<TokenRow | null> {
  if (!isToken(given)) return null;
  const hash = hashCredential(given);
  const record = await translated(() => db().token.findUnique({ where: { hash } }));
  const token = record === null ? null : (toStored("tokens", record) as TokenRow);
  if (token === null || !token.enabled || Date.parse(token.expiresAt) <= now) return null;
  touchToken(token.name);
  return token;
}

/** At most once a minute, and never in the caller's way. */
function touchToken(name: string): void {
  touched(`token:${name}`, (at) => db().token.updateMany({ where: { name }, data: { lastUsedAt: at } }));
}
