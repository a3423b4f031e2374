import { DEFAULT_KEY_DAYS, type ApiKeyInput, type ApiKeyRow } from "@/lib/resources/api-key";
import { crud } from "@/lib/store/crud";
import { mintApiKey } from "@/lib/store/credentials";
import { db } from "@/lib/store/database";
import { flag, text } from "@/lib/store/filters";
import { expiry, touched } from "@/lib/store/last-used";
import { translated } from "@/lib/store/translate";
import { write, type Actor } from "@/lib/store/write";

const store = crud({
  resource: "api-keys",
  search: ["name", "agent", "keyId"],
  sort: { name: "text", agent: "text", expiresAt: "time", createdAt: "time", updatedAt: "time" },
  filters: { agent: text("agent"), enabled: flag("enabled") },
  /** The agent and the expiry may change; the key itself never does. */
  merge: (input: ApiKeyInput, before) => ({
    ...input,
    expiresAt: input.expiresAt ?? before.expiresAt,
    keyId: before.keyId,
    lastFour: before.lastFour,
  }),
});

/** API keys: `create` answers the key, this once. */
export const apiKeys = {
  ...store,
  create: async (actor: Actor, input: ApiKeyInput): Promise<ApiKeyRow & { readonly key: string }> => {
    const { key, keyId, hash, lastFour } = mintApiKey();
    const after = { ...input, expiresAt: input.expiresAt ?? expiry(DEFAULT_KEY_DAYS), keyId, lastFour };
    await write(actor, () => [{ resource: "api-keys", action: "create", after, secret: { hash } }]);
    return { ...(await store.get(input.name)), key };
  },
};

/** A key with the hash to compare; for the agents' door only. */
export interface StoredApiKey {
  readonly keyId: string;
  readonly agent: string;
  readonly hash: Uint8Array;
  readonly enabled: boolean;
  readonly expiresAt: Date;
}

/** The key of an id, or `null`. */
export async function findApiKey(keyId: string): Promise<StoredApiKey | null> {
  const select = { keyId: true, agent: true, hash: true, enabled: true, expiresAt: true } as const;
  return translated(() => db().apiKey.findUnique({ where: { keyId }, select }));
}

/** Notes that a key was used: at most once a minute, and never in the caller's way. */
export function touchLastUsed(keyId: string): void {
  touched(`key:${keyId}`, (at) => db().apiKey.updateMany({ where: { keyId }, data: { lastUsedAt: at } }));
}
