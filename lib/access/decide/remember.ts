import { hash } from "node:crypto";
import { BoundedCache } from "@/lib/access/model/bounded-cache";
import { canonicalText } from "@/lib/access/model/canonical";
import { readClaim } from "@/lib/access/model/claims";
import type { Index } from "@/lib/access/compile/compile";
import type { JsonObject } from "@/lib/access/model/configuration";
import type { CompiledMatcher } from "@/lib/access/matching/compiled-matcher";
import type { CompiledPolicy } from "@/lib/access/compile/policies";
import type { Resolution, ResolveRequest } from "@/lib/access/decide/resolution";
import { resolve } from "@/lib/access/decide/resolve";
import { routeTier } from "@/lib/access/decide/routing";

/** `resolve` behind two caches that change nothing but its speed. */
export interface Resolver {
  readonly resolve: (
    index: Index,
    request: ResolveRequest,
    now: number,
    options?: { readonly skipCache?: boolean },
  ) => Resolution;
  /** The number of cached answers of an index, for metrics. */
  readonly size: (index: Index) => { readonly access: number; readonly manifests: number };
}

/** Bounds of the caches, per revision. */
interface ResolverOptions {
  /** The most callers whose matching policies are cached. */
  readonly mostCallers?: number;
  /** The most tool entries in cached lists. */
  readonly mostEntries?: number;
}

/** A cached value, valid for `from <= now < until` (epoch ms). */
interface Cached<Value> {
  readonly value: Value;
  readonly from: number;
  readonly until: number;
}

interface Matched {
  readonly policies: readonly CompiledPolicy[];
  /** The policies' numbers: the part of the cache key that the claims decide. */
  readonly key: string;
}

interface Caches {
  readonly access: BoundedCache<Cached<Matched>>;
  readonly manifests: BoundedCache<Cached<Resolution>>;
}

/** Longer keys are hashed. */
const MAX_KEY_LENGTH = 1024;

/** A cache key of bounded length: callers choose the length of what they state. */
export function boundedKey(text: string): string {
  return text.length > MAX_KEY_LENGTH ? hash("sha256", text) : text;
}

/**
 * Creates a resolver with its own caches (docs/reference/decision.md#cost): claims → matching policies, and cache key →
 * answer. Both belong to one index, so a new configuration never meets a stale answer.
 */
export function createResolver({ mostCallers = 10_000, mostEntries = 1_000_000 }: ResolverOptions = {}): Resolver {
  const byIndex = new WeakMap<Index, Caches>();
  const cachesOf = (index: Index): Caches => {
    const known = byIndex.get(index);
    if (known !== undefined) return known;
    const made: Caches = { access: new BoundedCache(mostCallers), manifests: new BoundedCache(mostEntries) };
    byIndex.set(index, made);
    return made;
  };
  return {
    size: (index) => ({ access: cachesOf(index).access.size, manifests: cachesOf(index).manifests.size }),
    resolve: (index, request, now, options) => {
      const caches = options?.skipCache === true ? null : cachesOf(index);
      const { accessSeconds, groupSeconds } = index.config.settings.cache;
      const matched =
        caches === null || accessSeconds <= 0
          ? toMatched(index.policyIndex.matching(request.claims, now))
          : matchedBy(caches, index, request.claims, now);
      if (caches === null || groupSeconds <= 0) return resolve(index, request, now, matched.policies);
      const key = answerKeyOf(index, request, matched);
      const known = caches.manifests.get(key);
      if (known !== undefined && known.from <= now && now < known.until) return known.value;
      const value = Object.freeze(resolve(index, request, now, matched.policies));
      caches.manifests.set(key, { value, from: now, until: now + groupSeconds * 1000 }, 1 + value.tools.length);
      return value;
    },
  };
}

function matchedBy({ access }: Caches, index: Index, claims: JsonObject, now: number): Matched {
  const key = claimsKey(index, claims);
  const known = access.get(key);
  if (known !== undefined && known.from <= now && now < known.until) return known.value;
  const value = toMatched(index.policyIndex.matching(claims, now));
  const until = Math.min(now + index.config.settings.cache.accessSeconds * 1000, nextMatchChange(index, claims, now));
  if (until > now) access.set(key, { value, from: now, until }, 1);
  return value;
}

function toMatched(policies: readonly CompiledPolicy[]): Matched {
  return { policies, key: policies.map(({ number }) => number).join() };
}

/** The last key of each claims object: a caller's object is the same from request to request. */
const claimsKeys = new WeakMap<JsonObject, { readonly policyIndex: Index["policyIndex"]; readonly key: string }>();

/**
 * The claims that any active policy reads, as one text. Other claims, mainly `exp` and `jti`, make no difference:
 * callers who differ only in them share an entry.
 */
function claimsKey({ policyIndex }: Index, claims: JsonObject): string {
  const known = claimsKeys.get(claims);
  if (known?.policyIndex === policyIndex) return known.key;
  let text = "";
  for (const name of Object.keys(claims)) {
    if (policyIndex.reads.has(name)) text += `${JSON.stringify(name)}:${canonicalText(claims[name] ?? null)},`;
  }
  const key = boundedKey(text);
  claimsKeys.set(claims, { policyIndex, key });
  return key;
}

/** The first instant, at or after `now`, from which a different set of policies may match the same claims. */
export function nextMatchChange(index: Index, claims: JsonObject, now: number): number {
  const changes = index.policyIndex.candidates(claims).flatMap((policy) => {
    const bounds = [policy.from, policy.until].filter((bound) => bound > now);
    return [...bounds, ...policy.matchers.map((matcher) => nextChangeOf(matcher, claims, now))];
  });
  return changes.reduce((first, change) => Math.min(first, change), Number.POSITIVE_INFINITY);
}

function nextChangeOf({ parts }: CompiledMatcher, claims: JsonObject, now: number): number {
  const next = parts?.compiled.nextChange ?? null;
  const claim = parts === null || next === null ? null : readClaim(claims, parts.path);
  return next === null || claim === null || claim === undefined ? Number.POSITIVE_INFINITY : next(claim, now);
}

/** Everything except the index that decides an answer: equal texts mean equal answers. */
function answerKeyOf(index: Index, request: ResolveRequest, { key }: Matched): string {
  const { group, state, machine, profiles, capabilities, includeDisabled, agent } = request;
  const labels = index.flows.all.length === 0 ? [] : request.labels.toSorted();
  const tier = routeTier(index.intents, index.config.settings.routing, request);
  const paused = agent !== null && index.pauses.agents.has(agent);
  const text = JSON.stringify([
    key,
    group,
    state,
    labels,
    machine,
    profiles,
    capabilities,
    tier,
    includeDisabled,
    paused,
  ]);
  return boundedKey(text);
}
