import type { Caller } from "@/lib/auth/agents/caller";
import { refuseCredential } from "@/lib/auth/agents/refusal";
import type { StoredApiKey } from "@/lib/store/config/api-keys";
import { parseApiKey, sameHash } from "@/lib/store/keys/credentials";

/** Finds a key by its public part. */
export type FindApiKey = (keyId: string) => Promise<StoredApiKey | null>;

/**
 * Finds the row of a presented key, valid or not (docs/reference/promises.md#api-keys). Checks the checksum before the
 * store, and the hash in constant time. The error is the same for unknown and wrong keys.
 *
 * @throws AppError `unauthenticated` when there is no such key
 */
export async function findHeld(text: string, find: FindApiKey): Promise<StoredApiKey> {
  const parsed = parseApiKey(text);
  if (parsed === null)
    throw refuseCredential("The API key is incomplete: its checksum does not match. Copy the whole key.");
  const key = await find(parsed.keyId);
  if (key === null || !sameHash(key.hash, parsed.hash)) throw refuseCredential("The API key is not valid.");
  return key;
}

/** @throws AppError `unauthenticated` when the key is disabled, or has expired by `now` (epoch milliseconds) */
export function requireGood(key: StoredApiKey, now: number): void {
  if (!key.enabled) throw refuseCredential("The API key is revoked.", undefined, { owner: key.agent });
  if (key.expiresAt.getTime() <= now)
    throw refuseCredential("The API key has expired.", undefined, { owner: key.agent });
}

/**
 * Requires that the key of a caller is still good and of the same agent, for work that continues after its request.
 *
 * @throws AppError `unauthenticated`; errors of `find`
 */
export async function requireKeyOf({ credential, principal }: Caller, find: FindApiKey, now: number): Promise<void> {
  if (credential.kind !== "api_key") return;
  const key = await find(credential.keyId);
  if (key === null || key.agent !== principal.agent) throw refuseCredential("The API key is not valid.");
  requireGood(key, now);
}
