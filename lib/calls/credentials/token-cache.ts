import { BoundedCache } from "@/lib/access/model/bounded-cache";
import type { AccessToken } from "@/lib/calls/credentials/token-endpoint";

/** Most tokens in the cache. It drops the oldest. */
const MAX_TOKENS = 10_000;

/** A cache of tokens. Requests each token at most once at a time. */
export interface TokenCache {
  /**
   * The token of a key. Requests one when the cache has no usable token.
   *
   * @param refused a token that the upstream refused: it is not returned again
   */
  get(key: string, ask: () => Promise<AccessToken>, refused?: string): Promise<string>;
}

/** A cache in memory; `now` in epoch milliseconds. */
export function tokenCache(now: () => number): TokenCache {
  const tokens = new BoundedCache<AccessToken>(MAX_TOKENS);
  const pending = new Map<string, Promise<AccessToken>>();

  const requestOnce = (key: string, ask: () => Promise<AccessToken>): Promise<AccessToken> => {
    const running = pending.get(key);
    if (running !== undefined) return running;
    const started = ask()
      .then((token) => {
        tokens.set(key, token, 1);
        return token;
      })
      .finally(() => pending.delete(key));
    pending.set(key, started);
    return started;
  };

  return {
    async get(key, ask, refused) {
      const known = tokens.get(key);
      // When many calls are refused at once, the first requests a token and the others wait for it.
      if (known !== undefined && known.value !== refused && now() < known.usableUntil) return known.value;
      return (await requestOnce(key, ask)).value;
    },
  };
}
