import type { CryptoKey } from "jose";
import { toKeySet, type KeySet } from "@/lib/auth/agents/key-set";
import { messageOf } from "@/lib/errors";
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

type KeySource = Pick<IssuerRow, "name" | "jwks" | "jwksUri">;

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

/** Most keys in a description. */
const MAX_DESCRIBED = 10;

/** Static keys of issuers, or keys that it fetches and caches. `now` in epoch milliseconds. */
export function issuerKeys(fetch: Outbound, now: () => number): IssuerKeys {
  const fixed = new WeakMap<object, KeySet>();
  const remotes = new Map<string, RemoteKeys>();

  function staticKeys(set: NonNullable<IssuerRow["jwks"]>): KeySet {
    const keys = fixed.get(set) ?? toKeySet(set.keys);
    fixed.set(set, keys);
    return keys;
  }

  function remoteOf(issuer: KeySource, uri: string): RemoteKeys {
    const id = `${issuer.name}\n${uri}`;
    const remote = remotes.get(id) ?? new RemoteKeys(uri, fetch, now);
    remotes.set(id, remote);
    return remote;
  }

  return {
    async find(issuer, { alg, kid }, again) {
      if (issuer.jwks !== null) return again ? null : staticKeys(issuer.jwks).find(alg, kid);
      if (issuer.jwksUri === null) return null;
      const remote = remoteOf(issuer, issuer.jwksUri);
      if (again && !(await remote.refresh())) return null;
      const keys = await remote.current();
      return keys === null ? null : keys.find(alg, kid);
    },
    describe(issuer) {
      if (issuer.jwks !== null) return `The keys given with the issuer: ${listed(staticKeys(issuer.jwks))}.`;
      if (issuer.jwksUri === null) return "The issuer has no keys.";
      return remoteOf(issuer, issuer.jwksUri).describe();
    },
  };
}

/** The key set at an address, with the time limits above. */
class RemoteKeys {
  readonly #uri: string;
  readonly #fetch: Outbound;
  readonly #now: () => number;
  #keys: KeySet | null = null;
  #fetchedAt = -Infinity;
  #attemptedAt = -Infinity;
  #pending: Promise<void> | null = null;
  /** Why the last fetch failed. */
  #problem: string | null = null;

  constructor(uri: string, fetch: Outbound, now: () => number) {
    this.#uri = uri;
    this.#fetch = fetch;
    this.#now = now;
  }

  /** Fetches unless the last attempt is recent. Returns whether the set may be new. */
  async refresh(): Promise<boolean> {
    if (this.#pending === null && this.#now() - this.#attemptedAt < ISSUER_KEY_LIMITS.cooldownMs) return false;
    this.#pending ??= this.#replace();
    await this.#pending;
    return true;
  }

  async current(): Promise<KeySet | null> {
    const age = this.#now() - this.#fetchedAt;
    if (this.#keys === null || age >= ISSUER_KEY_LIMITS.staleMs) await this.refresh();
    else if (age >= ISSUER_KEY_LIMITS.refreshMs) void this.refresh();
    return this.#now() - this.#fetchedAt < ISSUER_KEY_LIMITS.lostMs ? this.#keys : null;
  }

  describe(): string {
    const failed = this.#problem === null ? "" : ` The last fetch failed: ${this.#problem}`;
    if (this.#keys === null) return `No keys could be fetched from ${this.#uri} yet.${failed}`;
    const seconds = Math.round((this.#now() - this.#fetchedAt) / 1000);
    return `The keys of ${this.#uri}, fetched ${seconds} s ago: ${listed(this.#keys)}.${failed}`;
  }

  /** Never rejects. After a failed fetch, the old set stays until its time limit. */
  async #replace(): Promise<void> {
    this.#attemptedAt = this.#now();
    try {
      this.#keys = await fetchKeySet(this.#fetch, this.#uri);
      this.#fetchedAt = this.#attemptedAt;
      this.#problem = null;
    } catch (error) {
      this.#problem = messageOf(error);
      log.warn({ err: error, uri: this.#uri }, "The keys of an issuer could not be fetched.");
    } finally {
      this.#pending = null;
    }
  }
}

function listed({ described }: KeySet): string {
  if (described.length === 0) return "none";
  const more = described.length - MAX_DESCRIBED;
  return described.slice(0, MAX_DESCRIBED).join("; ") + (more > 0 ? `; and ${more} more` : "");
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
