import { findHeld, requireGood, type FindApiKey } from "@/lib/auth/agents/api-key";
import type { Registry } from "@/lib/auth/agents/caller";
import type { StoredApiKey } from "@/lib/store/config/api-keys";
import { hashText } from "@/lib/store/keys/credentials";

/** Most cached keys of one revision. Other keys are read for each request. */
const MAX_REMEMBERED = 10_000;

/** Verifies an API key with a registry, at a time in epoch milliseconds. @throws AppError `unauthenticated` */
export type VerifyApiKey = (text: string, registry: Registry, now: number) => Promise<StoredApiKey>;

/**
 * Verifies API keys and reads each only once per revision, because every change of a key is a revision. Reads the row
 * after the registry, so it is never older. Caches by the hash of the whole key, after checksum, id and hash matched.
 * Caches no refused keys, so guesses fill no memory.
 */
export function rememberKeys(find: FindApiKey): VerifyApiKey {
  const kept = new WeakMap<Registry, Map<string, StoredApiKey>>();
  return async (text, registry, now) => {
    let keys = kept.get(registry);
    if (keys === undefined) kept.set(registry, (keys = new Map()));
    const digest = hashText(text);
    let key = keys.get(digest);
    if (key === undefined) {
      key = await findHeld(text, find);
      if (keys.size < MAX_REMEMBERED) keys.set(digest, key);
    }
    requireGood(key, now);
    return key;
  };
}
