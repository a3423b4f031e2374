import { AppError } from "@/lib/errors";
import { DEFAULT_KEY_DAYS, type ApiKeyInput, type ApiKeyRotation, type ApiKeyRow } from "@/lib/resources/api-key";
import { crud, requireValue } from "@/lib/store/config/crud";
import { mintApiKey } from "@/lib/store/keys/credentials";
import { db } from "@/lib/store/db/database";
import { flag, text } from "@/lib/store/db/filters";
import { expiry, noteUse } from "@/lib/store/keys/last-used";
import { toValue } from "@/lib/store/config/tables";
import { asCreated, refuseRotation } from "@/lib/store/save/review-mode";
import { write, writeAndRead, type Actor } from "@/lib/store/save/write";

/** The columns of a key without an overlap. */
const NO_PREVIOUS = { previousKeyId: null, previousLastFour: null, previousUntil: null } as const;

const HOUR_MS = 60 * 60 * 1000;

const store = crud({
  resource: "api-keys",
  search: ["name", "agent", "keyId"],
  sort: { name: "text", agent: "text", expiresAt: "time", createdAt: "time", updatedAt: "time" },
  filters: { agent: text("agent"), enabled: flag("enabled") },
  /** The agent and the expiry may change. Only `rotateApiKey` changes the key. */
  merge: (input: ApiKeyInput, before) => ({
    ...toValue("api-keys", before),
    ...input,
    expiresAt: input.expiresAt ?? before.expiresAt,
  }),
});

/** A row with its key, which only this one answer shows. */
type WithKey = ApiKeyRow & { readonly key: string };

/** API keys. `create` returns the key, which no later answer shows. */
export const apiKeys = {
  ...store,
  create: async (actor: Actor, input: ApiKeyInput): Promise<WithKey> => {
    const { key, keyId, hash, lastFour } = mintApiKey();
    const expiresAt = input.expiresAt ?? expiry(DEFAULT_KEY_DAYS);
    const after = { ...(await asCreated(actor, input)), expiresAt, keyId, lastFour, ...NO_PREVIOUS };
    const plan = () => [{ resource: "api-keys", action: "create", after, secret: { hash } } as const];
    return { ...(await writeAndRead(actor, plan, (tx) => store.get(input.name, tx))), key };
  },
};

/**
 * Gives a row a new key and returns it once (docs/reference/promises.md#api-keys). The present key works until the overlap
 * or its own expiry ends. A key left from an earlier rotation ends at once.
 *
 * @throws AppError `not_found`; `conflict` for a disabled key; `invalid_request` for an expiry that has passed; `forbidden`
 */
export async function rotateApiKey(
  actor: Actor,
  name: string,
  { overlapHours, expiresAt }: ApiKeyRotation,
  now = new Date(),
): Promise<WithKey> {
  await refuseRotation(actor);
  const { key, keyId, hash, lastFour } = mintApiKey();
  const ends = expiresAt ?? expiry(DEFAULT_KEY_DAYS, now);
  if (new Date(ends) <= now)
    throw new AppError("invalid_request", "A new key must end in the future.", {
      errors: [{ path: "expiresAt", message: "this time has passed: set a later one, or omit it for 90 days" }],
    });
  const row = await writeAndRead(
    actor,
    async (stored) => {
      const before = await requireValue(stored, "api-keys", name);
      if (!before.enabled)
        throw new AppError("conflict", `The API key \`${name}\` is disabled: enable it first, or create another.`);
      const until = new Date(Math.min(now.getTime() + overlapHours * HOUR_MS, Date.parse(before.expiresAt)));
      const overlaps = until > now;
      const previous = overlaps
        ? { previousKeyId: before.keyId, previousLastFour: before.lastFour, previousUntil: until.toISOString() }
        : NO_PREVIOUS;
      const previousHash = overlaps ? await hashOf(before.keyId) : null;
      const after = { ...before, expiresAt: ends, keyId, lastFour, ...previous };
      return [{ resource: "api-keys", action: "update", id: name, after, secret: { hash, previousHash } }];
    },
    (tx) => store.get(name, tx),
    { now },
  );
  return { ...row, key };
}

/** Ends the overlap of a rotation now. @throws AppError `not_found` when there is no key or no overlap; `forbidden` */
export async function endOverlap(actor: Actor, name: string): Promise<void> {
  await write(actor, async (stored) => {
    const before = await requireValue(stored, "api-keys", name);
    if (before.previousKeyId === null)
      throw new AppError("not_found", `The API key \`${name}\` has no older key that still works.`);
    const after = { ...before, ...NO_PREVIOUS };
    return [{ resource: "api-keys", action: "update", id: name, after, secret: { previousHash: null } }];
  });
}

/** Reads outside the transaction: the hash under a key id never changes. */
async function hashOf(keyId: string): Promise<Uint8Array> {
  const key = await findApiKey(keyId);
  if (key === null) throw new AppError("conflict", "The API key has changed since: try again.");
  return key.hash;
}

/** A key with the hash to compare. Only agent authentication reads it. */
export interface StoredApiKey {
  readonly keyId: string;
  readonly agent: string;
  readonly hash: Uint8Array;
  readonly enabled: boolean;
  readonly expiresAt: Date;
}

interface FoundKey extends StoredApiKey {
  readonly previousHash: Uint8Array | null;
  readonly previousUntil: Date | null;
}

/** The key with this id, in use or in its overlap, or `null`. */
export async function findApiKey(keyId: string): Promise<StoredApiKey | null> {
  // Runs for every request of an agent. The query builder would double the cost of an unchanged list.
  const [found] = await db().$queryRaw<FoundKey[]>`
    SELECT agent, enabled, "keyId", hash, "expiresAt", "previousHash", "previousUntil" FROM api_key
    WHERE "keyId" = ${keyId} OR "previousKeyId" = ${keyId}`;
  if (found === undefined) return null;
  const { agent, enabled, hash, expiresAt, previousHash, previousUntil } = found;
  if (found.keyId === keyId) return { keyId, agent, enabled, hash, expiresAt };
  // One column without the other is a defect. Then the key does not exist.
  if (previousHash === null || previousUntil === null) return null;
  // The row's expiry ends both keys.
  return {
    keyId,
    agent,
    enabled,
    hash: previousHash,
    expiresAt: previousUntil < expiresAt ? previousUntil : expiresAt,
  };
}

/** Records that a key was used: at most once a minute, in the background. */
export function touchLastUsed(keyId: string): void {
  noteUse(`key:${keyId}`, (at) =>
    db().apiKey.updateMany({ where: { OR: [{ keyId }, { previousKeyId: keyId }] }, data: { lastUsedAt: at } }),
  );
}
