import { processApiKeys } from "@/lib/auth/agents/agent";
import { verifyApiKey } from "@/lib/auth/agents/api-key";
import { standingOf } from "@/lib/auth/agents/authenticate";
import type { Caller, Registry } from "@/lib/auth/agents/caller";
import { refuseCredential } from "@/lib/auth/agents/refusal";
import { AppError } from "@/lib/errors";
import { currentSnapshot } from "@/lib/store/snapshot";

/** Milliseconds between two looks; with what a save takes to be heard, an end is known within 2 s (6-promises, API keys). */
const LOOK_MS = 500;
/** Milliseconds for which nobody need be able to say that a credential is good: a large configuration takes a while to load. */
const UNKNOWN_MS = 5_000;

/** A caller that is served for longer than one request. */
interface Watch {
  readonly caller: Caller;
  readonly ended: (why: AppError) => void;
  /** The rows under which the credential was last found good; a save makes others. */
  foundGood: Registry | null;
  /** When it ends by itself, epoch milliseconds. */
  until: number;
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
 * Tells once when the credential of a caller ends: revoked, disabled, deleted, given to another agent or expired (3-http,
 * Who is calling). For whatever outlives its request: streams, long polls, sessions of a transport. Between two
 * saves a look asks the store nothing. When nobody could say for 5 s whether the credential is still good, it has
 * ended (`config_unavailable`).
 *
 * @param ended hears `unauthenticated` with what is wrong, `config_unavailable` or `internal`
 * @returns what stops the watch
 */
export function watchCredential(caller: Caller, ended: (why: AppError) => void): () => void {
  const watches = (shared.quartermasterWatches ??= { all: new Set(), timer: null });
  const watch: Watch = { caller, ended, foundGood: null, until: 0, knownAt: performance.now() };
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
      await look(watch, registry);
    } catch (error) {
      const why = error instanceof AppError ? error : BROKEN;
      // A store that cannot be asked about one is not asked about the next: all would wait for the same.
      if (why.code === "config_unavailable") registry = null;
      if (why.code !== "unauthenticated" && performance.now() - watch.knownAt < UNKNOWN_MS) continue;
      if (all.delete(watch)) watch.ended(why);
    }
}

const UNKNOWN = new AppError("config_unavailable", "Nobody can say whether the credential is still good.");
/** A mistake of ours with one credential is no reason to doubt the others. */
const BROKEN = new AppError("internal", "Something failed on our side.");

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
  standingOf(caller, registry, now);
  if (credential.kind === "api_key") {
    const key = await verifyApiKey(bearer, (keyId) => processApiKeys()(keyId, registry), now);
    if (key.agent !== principal.agent) throw refuseCredential("The API key is not valid.");
    return key.expiresAt.getTime();
  }
  // The skew of clocks is for a token that comes in; a stream ends when it says (3-http, Agent API).
  if (credential.kind !== "jwt" || credential.expiresAt <= now) throw refuseCredential("The token has expired.");
  return credential.expiresAt;
}
