import { BoundedCache } from "@/lib/access/model/bounded-cache";
import type { Index } from "@/lib/access/compile/compile";
import type { JsonObject } from "@/lib/access/model/configuration";
import { rulesMatching, wouldBe, type Observed, type ObservedRule, type WouldBe } from "@/lib/access/decide/observed";
import { boundedKey, nextMatchChange } from "@/lib/access/decide/remember";
import type { ResolveRequest } from "@/lib/access/decide/resolution";
import { check } from "@/lib/access/decide/resolve";

/** A call to compare: `args` is `null` when the arguments could not be read. */
interface ComparedCall {
  readonly request: ResolveRequest;
  readonly toolId: string;
  readonly args: JsonObject | null;
  /** Whether the rules in force allowed the call. */
  readonly isAllowed: boolean;
}

/** The observed rules that match a caller, and what would be different with all of them enforced. */
interface ComparedOutcome {
  readonly matching: readonly ObservedRule[];
  readonly wouldBe: WouldBe | null;
}

/** An outcome, valid for `from <= now < until` (epoch ms). */
interface Remembered extends ComparedOutcome {
  readonly from: number;
  readonly until: number;
}

/** The most cached outcomes of one caller. */
const MAX_REMEMBERED = 1_000;

/** By claims object, because a caller's calls share one object. */
const remembered = new WeakMap<JsonObject, { readonly observed: Observed; readonly calls: BoundedCache<Remembered> }>();

/** All fields of a request except the claims, for the cache key. `satisfies` fails when a field is missing here. */
const DECIDING = Object.keys({
  agent: true,
  group: true,
  state: true,
  machine: true,
  profiles: true,
  capabilities: true,
  intent: true,
  confidence: true,
  escalated: true,
  labels: true,
  includeDisabled: true,
} satisfies Record<keyof Omit<ResolveRequest, "claims">, true>) as readonly (keyof Omit<ResolveRequest, "claims">)[];

/**
 * `wouldBe` behind a cache: compares a call with the same call under all observed rules. Caches only outcomes that do not
 * depend on the arguments, so that a caller's next call of the tool tests no condition.
 */
export function compareCall(index: Index, observed: Observed, call: ComparedCall, now: number): ComparedOutcome {
  const { request, toolId, isAllowed } = call;
  const known = remembered.get(request.claims);
  const calls = known?.observed === observed ? known.calls : new BoundedCache<Remembered>(MAX_REMEMBERED);
  const key = boundedKey(JSON.stringify([toolId, isAllowed, ...DECIDING.map((field) => request[field])]));
  const found = calls.get(key);
  if (found !== undefined && found.from <= now && now < found.until) return found;
  const matching = rulesMatching(observed, request, now);
  const isCompared = matching.length > 0;
  const outcome = { matching, wouldBe: isCompared ? wouldBe(index, observed, call, matching, now) : null };
  if (
    isCompared &&
    (dependsOnArguments(observed.enforced, call, now) || (!isAllowed && dependsOnArguments(index, call, now)))
  )
    return outcome;
  // `enforced` has every policy of `index` too, so its next change is never later.
  const until = nextMatchChange(observed.enforced, request.claims, now);
  calls.set(key, { ...outcome, from: now, until }, 1);
  remembered.set(request.claims, { observed, calls });
  return outcome;
}

function dependsOnArguments(index: Index, { request, toolId }: ComparedCall, now: number): boolean {
  const found = check(index, request, toolId, now);
  return found.verdict === "visible" && found.tool.conditional;
}
