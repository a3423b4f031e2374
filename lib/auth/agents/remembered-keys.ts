import { findHeld, requireGood, type FindApiKey } from "@/lib/auth/agents/api-key";
import type { Registry } from "@/lib/auth/agents/caller";
import type { StoredApiKey } from "@/lib/store/config/api-keys";
import { hashText } from "@/lib/store/keys/credentials";

/** Keys of one revision that are kept; more are read again. */
const MOST = 10_000;

/** Verifies an API key under a registry, at a time in epoch milliseconds. @throws AppError `unauthenticated` */
export type VerifyApiKey = (text: string, registry: Registry, now: number) => Promise<StoredApiKey>;

/**
 * Verifies API keys, reading each once per revision: every change of a key is a revision, so a key that was revoked is
 * forgotten exactly when the rules are that were in force with it. The row is read after the registry, so it is never older
 * than that. Kept by the hash of the whole key: who has one that leads to a row holds the key, for its checksum, its id and
 * its hash were compared before the row was kept. What is not held is not kept: whoever guesses fills no memory.
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
      if (keys.size < MOST) keys.set(digest, key);
    }
    requireGood(key, now);
    return key;
  };
}
