import { singleton } from "@/lib/process/singleton";
import { processApiKeys, processKeys } from "@/lib/auth/agents/agent";
import { byToken, reauthenticate } from "@/lib/auth/agents/authenticate";
import type { Caller, Registry } from "@/lib/auth/agents/caller";
import { refuseCredential } from "@/lib/auth/agents/refusal";
import { AppError, toAppError } from "@/lib/errors";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";

/** Milliseconds between two checks. Together with the delay of a notice, an end is known within 2 s (docs/reference/promises.md#api-keys). */
const CHECK_MS = 500;
/** Milliseconds for which a credential may stay unconfirmed, because a large configuration takes long to load. */
const UNCONFIRMED_MS = 5_000;

/**
 * Milliseconds between two checks of a token's signing key. Issuer keys are fetched again after 5 min, so a removed key
 * ends its streams within 10 min (docs/reference/promises.md#keys-of-an-issuer).
 */
const KEY_CHECK_MS = 30_000;

/** A caller whose service outlives one request. */
interface Watch {
  readonly caller: Caller;
  readonly ended: (why: AppError) => void;
  /** The registry that last confirmed the credential. Each save creates a new one. */
  confirmedBy: Registry | null;
  /** When the credential expires, epoch milliseconds. */
  until: number;
  /** When to check its issuer's keys again, epoch milliseconds. */
  keyCheckAt: number;
  /** When the credential was last confirmed, on a monotonic clock. */
  confirmedAt: number;
}

interface Watches {
  readonly all: Set<Watch>;
  timer: NodeJS.Timeout | null;
}

const credentialWatches = singleton<Watches>("Watches", () => ({ all: new Set(), timer: null }));

/**
 * Calls `ended` once when a caller's credential is revoked, disabled, deleted, given to another agent, expired, or signed
 * by a removed key (docs/reference/http.md#authentication). For streams, long polls and transport sessions. Without a
 * save, a check reads nothing from the store. After 5 s without confirmation it ends as `config_unavailable`.
 *
 * @param ended receives `unauthenticated` with the reason, `config_unavailable` or `internal`
 * @returns the function that stops the watch
 */
export function watchCredential(caller: Caller, ended: (why: AppError) => void): () => void {
  const watches = credentialWatches();
  const watch: Watch = { caller, ended, confirmedBy: null, until: 0, keyCheckAt: 0, confirmedAt: performance.now() };
  watches.all.add(watch);
  if (watches.timer === null) scheduleCheck(watches);
  return () => void watches.all.delete(watch);
}

/**
 * Runs work that waits for a caller, and aborts its signal when the credential ends or one of `signals` aborts.
 *
 * @throws AppError `unauthenticated`, `config_unavailable` or `internal` when the credential ends meanwhile
 */
export async function whileCredentialValid<T>(
  caller: Caller,
  signals: readonly AbortSignal[],
  work: (left: AbortSignal) => Promise<T>,
): Promise<T> {
  const credential = new AbortController();
  const stop = watchCredential(caller, (why) => credential.abort(why));
  try {
    const done = await work(AbortSignal.any([...signals, credential.signal]));
    credential.signal.throwIfAborted();
    return done;
  } finally {
    stop();
  }
}

/** Schedules the next check while any watch exists. */
function scheduleCheck(watches: Watches): void {
  watches.timer = setTimeout(() => {
    void checkAll(watches.all).finally(() => {
      watches.timer = null;
      if (watches.all.size > 0) scheduleCheck(watches);
    });
  }, CHECK_MS).unref();
}

async function checkAll(all: Set<Watch>): Promise<void> {
  let registry = await currentSnapshot().catch(() => null);
  for (const watch of all)
    try {
      if (registry === null) throw UNCONFIRMED;
      checkKey(watch, registry, all);
      await checkWatch(watch, registry);
    } catch (error) {
      // An internal error with one credential does not affect the others.
      const why = toAppError(error);
      // After a lost store, the loop does not wait for it again with the next credential.
      if (why.code === "config_unavailable") registry = null;
      if (why.code !== "unauthenticated" && performance.now() - watch.confirmedAt < UNCONFIRMED_MS) continue;
      if (all.delete(watch)) watch.ended(why);
    }
}

const UNCONFIRMED = new AppError("config_unavailable", "The credential cannot be checked at present.");

/**
 * Checks the signing key in the background, so that a slow issuer delays no other watch. Uses the same verification as a
 * new request with the token.
 */
function checkKey(watch: Watch, registry: Registry, all: Set<Watch>): void {
  const { caller, confirmedBy, keyCheckAt, ended } = watch;
  const now = Date.now();
  if (caller.credential.kind !== "jwt" || (confirmedBy === registry && now < keyCheckAt)) return;
  watch.keyCheckAt = now + KEY_CHECK_MS;
  byToken(caller.bearer, registry, { keys: processKeys(), now: Date.now }).catch((error: unknown) => {
    if (all.delete(watch)) ended(toAppError(error));
  });
}

async function checkWatch(watch: Watch, registry: Registry): Promise<void> {
  const now = Date.now();
  if (watch.confirmedBy !== registry || now >= watch.until) {
    watch.until = await requireValid(watch.caller, registry, now);
    watch.confirmedBy = registry;
  }
  watch.confirmedAt = performance.now();
}

/** The time until which the credential is valid, epoch milliseconds. @throws AppError `unauthenticated`, `config_unavailable` */
async function requireValid(caller: Caller, registry: Registry, now: number): Promise<number> {
  const { credential, bearer, principal } = caller;
  reauthenticate(caller, registry, now);
  if (credential.kind === "api_key") {
    const key = await processApiKeys()(bearer, registry, now);
    if (key.agent !== principal.agent) throw refuseCredential("The API key is not valid.");
    return key.expiresAt.getTime();
  }
  // The clock tolerance applies to new requests. A stream ends at its `exp` (docs/reference/http.md#agent-api).
  if (credential.kind !== "jwt" || credential.expiresAt <= now) throw refuseCredential("The token has expired.");
  return credential.expiresAt;
}
