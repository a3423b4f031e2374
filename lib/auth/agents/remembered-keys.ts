import type { FindApiKey } from "@/lib/auth/agents/api-key";
import type { Registry } from "@/lib/auth/agents/caller";
import type { StoredApiKey } from "@/lib/store/api-keys";

/** Keys of one revision that are kept; more are read again. */
const MOST = 10_000;

/**
 * Reads each key once per revision: every change of a key is a revision, so a key that was revoked is forgotten exactly
 * when the rules are that were in force with it. The row is read after the registry, so it is never older than that.
 * Keys that are not there are not kept: whoever guesses fills no memory.
 */
export function rememberKeys(find: FindApiKey): (keyId: string, registry: Registry) => Promise<StoredApiKey | null> {
  const kept = new WeakMap<Registry, Map<string, StoredApiKey>>();
  return async (keyId, registry) => {
    let keys = kept.get(registry);
    if (keys === undefined) kept.set(registry, (keys = new Map()));
    const known = keys.get(keyId);
    if (known !== undefined) return known;
    const found = await find(keyId);
    if (found !== null && keys.size < MOST) keys.set(keyId, found);
    return found;
  };
}
