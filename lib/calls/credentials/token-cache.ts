import { BoundedCache } from "@/lib/access/model/bounded-cache";
import type { AccessToken } from "@/lib/calls/credentials/token-endpoint";

/** Tokens that are kept: beyond it the oldest go. */
const MOST_KEPT = 10_000;

/** Tokens by what they were got with and for, each asked for once at a time. */
export interface TokenCache {
  /**
   * The token of a key, asked for when there is none that can be used.
   *
   * @param refused a token that the upstream did not take: it is not given out again
   */
  get(key: string, ask: () => Promise<AccessToken>, refused?: string): Promise<string>;
}

/** A cache in memory; `now` in epoch milliseconds. */
export function tokenCache(now: () => number): TokenCache {
  const kept = new BoundedCache<AccessToken>(MOST_KEPT);
  const asking = new Map<string, Promise<AccessToken>>();

  const askOnce = (key: string, ask: () => Promise<AccessToken>): Promise<AccessToken> => {
    const running = asking.get(key);
    if (running !== undefined) return running;
    const started = ask()
      .then((token) => {
        kept.set(key, token, 1);
        return token;
      })
      .finally(() => asking.delete(key));
    asking.set(key, started);
    return started;
  };

  return {
    async get(key, ask, refused) {
      const known = kept.get(key);
      // Of many calls that were refused at once, the first asks anew and the others take what it got.
      if (known !== undefined && known.value !== refused && now() < known.usableUntil) return known.value;
      return (await askOnce(key, ask)).value;
    },
  };
}
