import type { CryptoKey } from "jose";
import { toKeySet, type KeySet } from "@/lib/auth/agents/key-set";
import type { Outbound } from "@/lib/outbound/fetch";
import { KEYS_IN_PLAIN_TEXT, mayServeKeys } from "@/lib/store/keys/key-address";
import type { IssuerRow } from "@/lib/resources/issuer";
import { log } from "@/lib/telemetry/log";

/** Limits for an issuer's keys, in milliseconds and bytes (docs/reference/promises.md#keys-of-an-issuer). */
export const ISSUER_KEY_LIMITS = {
  /** At most one fetch in this time, whatever tokens request. */
  cooldownMs: 30_000,
  /** Older keys are fetched again in the background … */
  refreshMs: 5 * 60_000,
  /** … and these before their use: a removed key is refused within 10 min. */
  staleMs: 9 * 60_000,
  /** During an outage, known keys stay usable for this long. */
  lostMs: 60 * 60_000,
  fetchMs: 5_000,
  bytes: 256 * 1024,
} as const;

/** The source of an issuer's keys. */
export type KeySource = Pick<IssuerRow, "name" | "jwks" | "jwksUri">;

/** Finds the key that an issuer signs with. Never uses another issuer's keys. */
export interface IssuerKeys {
  /**
   * With `again`, after an unknown `kid` or a wrong signature, fetches the key set first. Returns `null` if the last fetch
   * is less than 30 s ago.
   */
  find(issuer: KeySource, token: { alg: string; kid: string | null }, again: boolean): Promise<CryptoKey | null>;
  /** Describes an issuer's keys and their source for people. Fetches nothing. */
  describe(issuer: KeySource): string;
}

interface Remote {
  keys: KeySet | null;
  fetchedAt: number;
  attemptedAt: number;
  pending: Promise<void> | null;
  /** Why the last fetch failed. */
  problem: string | null;
}

/** Most keys in a description. */
const MOST_DESCRIBED = 10;

/** Static keys of issuers, or keys that it fetches and caches. `now` in epoch milliseconds. */
export function issuerKeys(fetch: Outbound, now: () => number): IssuerKeys {
  const fixed = new WeakMap<object, KeySet>();
  const remotes = new Map<string, Remote>();

  /** Fetches unless the last attempt is recent. Returns whether the set may be new. */
  async function refresh(remote: Remote, uri: string): Promise<boolean> {
    if (remote.pending === null && now() - remote.attemptedAt < ISSUER_KEY_LIMITS.cooldownMs) return false;
    remote.pending ??= replaceKeys(remote, uri);
    await remote.pending;
    return true;
  }

  /** Never rejects. After a failed fetch, the old set stays until its time limit. */
  async function replaceKeys(remote: Remote, uri: string): Promise<void> {
    remote.attemptedAt = now();
    try {
      remote.keys = await fetchKeySet(fetch, uri);
      remote.fetchedAt = remote.attemptedAt;
      remote.problem = null;
    } catch (error) {
      remote.problem = error instanceof Error ? error.message : "unknown";
      log.warn({ err: error, uri }, "The keys of an issuer could not be fetched.");
    } finally {
      remote.pending = null;
    }
  }

  async function currentKeys(remote: Remote, uri: string): Promise<KeySet | null> {
    const age = now() - remote.fetchedAt;
    if (remote.keys === null || age >= ISSUER_KEY_LIMITS.staleMs) await refresh(remote, uri);
    else if (age >= ISSUER_KEY_LIMITS.refreshMs) void refresh(remote, uri);
    return now() - remote.fetchedAt < ISSUER_KEY_LIMITS.lostMs ? remote.keys : null;
  }

  function staticKeys(set: NonNullable<IssuerRow["jwks"]>): KeySet {
    const keys = fixed.get(set) ?? toKeySet(set.keys);
    fixed.set(set, keys);
    return keys;
  }

  function remoteOf(issuer: KeySource, uri: string): Remote {
    const id = `${issuer.name}\n${uri}`;
    const remote = remotes.get(id) ?? {
      keys: null,
      fetchedAt: -Infinity,
      attemptedAt: -Infinity,
      pending: null,
      problem: null,
    };
    remotes.set(id, remote);
    return remote;
  }

  return {
    async find(issuer, { alg, kid }, again) {
      if (issuer.jwks !== null) return again ? null : staticKeys(issuer.jwks).find(alg, kid);
      const uri = issuer.jwksUri;
      if (uri === null) return null;
      const remote = remoteOf(issuer, uri);
      if (again && !(await refresh(remote, uri))) return null;
      const keys = await currentKeys(remote, uri);
      return keys === null ? null : keys.find(alg, kid);
    },
    describe(issuer) {
      if (issuer.jwks !== null) return `The keys given with the issuer: ${listed(staticKeys(issuer.jwks))}.`;
      if (issuer.jwksUri === null) return "The issuer has no keys.";
      const { keys, fetchedAt, problem } = remoteOf(issuer, issuer.jwksUri);
      const failed = problem === null ? "" : ` The last fetch failed: ${problem}`;
      if (keys === null) return `No keys could be fetched from ${issuer.jwksUri} yet.${failed}`;
      const seconds = Math.round((now() - fetchedAt) / 1000);
      return `The keys of ${issuer.jwksUri}, fetched ${seconds} s ago: ${listed(keys)}.${failed}`;
    },
  };
}

function listed({ described }: KeySet): string {
  if (described.length === 0) return "none";
  const more = described.length - MOST_DESCRIBED;
  return described.slice(0, MOST_DESCRIBED).join("; ") + (more > 0 ? `; and ${more} more` : "");
}

/** Fetches the key set of an address, within the limits above. @throws when there is no valid one */
export async function fetchKeySet(fetch: Outbound, uri: string): Promise<KeySet> {
  if (!mayServeKeys(uri)) throw new Error(`Keys are not fetched from ${uri}: ${KEYS_IN_PLAIN_TEXT}.`);
  const answer = await fetch({
    url: uri,
    headers: { accept: "application/jwk-set+json, application/json" },
    totalMs: ISSUER_KEY_LIMITS.fetchMs,
    maxBytes: ISSUER_KEY_LIMITS.bytes,
  });
  if (answer.status !== 200) throw new Error(`The key set was answered with status ${answer.status}.`);
  const document: unknown = JSON.parse(Buffer.from(answer.body).toString("utf8"));
  if (typeof document !== "object" || document === null || !("keys" in document) || !Array.isArray(document.keys))
    throw new Error("The key set has no list `keys`.");
  return toKeySet(document.keys);
}
