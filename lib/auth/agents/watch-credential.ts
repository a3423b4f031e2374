import { processApiKeys, processKeys } from "@/lib/auth/agents/agent";
import { byToken, reauthenticate } from "@/lib/auth/agents/authenticate";
import type { Caller, Registry } from "@/lib/auth/agents/caller";
import { refuseCredential } from "@/lib/auth/agents/refusal";
import { AppError, toAppError } from "@/lib/errors";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";

/** Milliseconds between two looks; with what a save takes to be heard, an end is known within 2 s (docs/reference/promises.md#api-keys). */
const LOOK_MS = 500;
/** Milliseconds for which nobody need be able to say that a credential is good: a large configuration takes a while to load. */
const UNKNOWN_MS = 5_000;

/**
 * Milliseconds between two questions for the key that signed a token: with the 5 min after which an issuer's keys are fetched
 * again, a removed one ends within 10 min what it opened (docs/reference/promises.md#keys-of-an-issuer).
 */
const KEY_MS = 30_000;

/** A caller that is served for longer than one request. */
interface Watch {
  readonly caller: Caller;
  readonly ended: (why: AppError) => void;
  /** The rows under which the credential was last found good; a save makes others. */
  foundGood: Registry | null;
  /** When it ends by itself, epoch milliseconds. */
  until: number;
  /** When its issuer's keys are asked again, epoch milliseconds. */
  keyUntil: number;
  /** When it was last known to be good, on a clock that only goes forward. */
  knownAt: number;
}

interface Watches {
  readonly all: Set<Watch>;
  timer: NodeJS.Timeout | null;
}

/** Next bundles each route on its own: one look serves every stream of the process. */
const shared = globalThis as typeof globalThis & { quartermasterWatches?: Watches };

/**
 * Tells once when the credential of a caller ends: revoked, disabled, deleted, given to another agent, expired or signed by a
 * key that its issuer has no more (docs/reference/http.md#authentication). For whatever outlives its request: streams, long polls, sessions of a transport. Between two
 * saves a look asks the store nothing. When nobody could say for 5 s whether the credential is still good, it has
 * ended (`config_unavailable`).
 *
 * @param ended hears `unauthenticated` with what is wrong, `config_unavailable` or `internal`
 * @returns what stops the watch
 */
export function watchCredential(caller: Caller, ended: (why: AppError) => void): () => void {
  const watches = (shared.quartermasterWatches ??= { all: new Set(), timer: null });
  const watch: Watch = { caller, ended, foundGood: null, until: 0, keyUntil: 0, knownAt: performance.now() };
  watches.all.add(watch);
  if (watches.timer === null) lookAgain(watches);
  return () => void watches.all.delete(watch);
}

/** One look after the other, as long as there is anybody to look at. */
function lookAgain(watches: Watches): void {
  watches.timer = setTimeout(() => {
    void lookAtAll(watches.all).finally(() => {
      watches.timer = null;
      if (watches.all.size > 0) lookAgain(watches);
    });
  }, LOOK_MS).unref();
}

async function lookAtAll(all: Set<Watch>): Promise<void> {
  let registry = await currentSnapshot().catch(() => null);
  for (const watch of all)
    try {
      if (registry === null) throw UNKNOWN;
      askForKey(watch, registry, all);
      await look(watch, registry);
    } catch (error) {
      // A mistake of ours with one credential is no reason to doubt the others.
      const why = toAppError(error);
      // A store that cannot be asked about one is not asked about the next: all would wait for the same.
      if (why.code === "config_unavailable") registry = null;
      if (why.code !== "unauthenticated" && performance.now() - watch.knownAt < UNKNOWN_MS) continue;
      if (all.delete(watch)) watch.ended(why);
    }
}

const UNKNOWN = new AppError("config_unavailable", "Nobody can say whether the credential is still good.");

/**
 * Beside the look, which is for everybody: an issuer that does not answer holds up nobody. What is asked is what is asked of a
 * request that comes in with the token.
 */
function askForKey(watch: Watch, registry: Registry, all: Set<Watch>): void {
  const { caller, foundGood, keyUntil, ended } = watch;
  const now = Date.now();
  if (caller.credential.kind !== "jwt" || (foundGood === registry && now < keyUntil)) return;
  watch.keyUntil = now + KEY_MS;
  byToken(caller.bearer, registry, { keys: processKeys(), now: Date.now }).catch((error: unknown) => {
    if (all.delete(watch)) ended(toAppError(error));
  });
}

async function look(watch: Watch, registry: Registry): Promise<void> {
  const now = Date.now();
  if (watch.foundGood !== registry || now >= watch.until) {
    watch.until = await requireGood(watch.caller, registry, now);
    watch.foundGood = registry;
  }
  watch.knownAt = performance.now();
}

/** Until when the credential is good, in epoch milliseconds. @throws AppError `unauthenticated`, `config_unavailable` */
async function requireGood(caller: Caller, registry: Registry, now: number): Promise<number> {
  const { credential, bearer, principal } = caller;
  reauthenticate(caller, registry, now);
  if (credential.kind === "api_key") {
    const key = await processApiKeys()(bearer, registry, now);
    if (key.agent !== principal.agent) throw refuseCredential("The API key is not valid.");
    return key.expiresAt.getTime();
  }
  // The skew of clocks is for a token that comes in; a stream ends when it says (docs/reference/http.md#agent-api).
  if (credential.kind !== "jwt" || credential.expiresAt <= now) throw refuseCredential("The token has expired.");
  return credential.expiresAt;
}
