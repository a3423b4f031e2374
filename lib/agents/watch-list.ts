import { situationOf } from "@/lib/agents/list";
import { standingOf } from "@/lib/auth/agents/authenticate";
import type { Caller } from "@/lib/auth/agents/caller";
import { watchCredential } from "@/lib/auth/agents/watch-credential";
import { AppError } from "@/lib/errors";
import { sessionVersions } from "@/lib/store/sessions";
import { currentSnapshot, onRevision, type Snapshot } from "@/lib/store/snapshot";
import type { Stated } from "@/lib/tools/asked";
import type { Situation } from "@/lib/tools/situation";

/** Milliseconds between two looks without news: a session may have moved, and notices may be lost (6-promises, Immediacy). */
const LOOK_MS = 500;
/** Milliseconds after which a list is decided anew although nothing was saved: rules depend on the time. */
const AGAIN_MS = 15_000;
/** Streams that one principal may have open in one process. */
const MOST_STREAMS = 2_000;

/** Whose list is watched, and what becomes of it. */
export interface ListWatch {
  readonly caller: Caller;
  readonly stated: Stated;
  readonly sessionId: string | null;
  readonly requestId: string;
  /** This caller's list is another one now: that of this situation. */
  readonly changed: (situation: Situation) => void;
  /** Nothing more will be told: the credential or the session has ended, or nobody can say. */
  readonly ended: (why: AppError) => void;
}

interface Watched {
  readonly watch: ListWatch;
  caller: Caller;
  snapshot: Snapshot;
  /** Of the session when it was last looked at; `null` without one, or when it has ended: deciding says so. */
  version: number | null;
  etag: string;
  /** Epoch milliseconds. */
  again: number;
}

/** Next bundles each route on its own: one look serves every stream of the process. */
const shared = globalThis as typeof globalThis & { quartermasterLists?: { all: Set<Watched>; looking: boolean } };

/**
 * Tells whenever a caller's own list has changed, and only then: a save, a step of its session or the time of day may change
 * it (3-http, Agent API). Between two saves a look decides nothing.
 *
 * @returns the situation that changes are told from, and what stops the watch
 * @throws AppError as a list does; `overloaded` with too many streams open
 */
export async function watchList(
  watch: ListWatch,
): Promise<{ readonly situation: Situation; readonly stop: () => void }> {
  const { caller, stated, sessionId, requestId } = watch;
  const lists = (shared.quartermasterLists ??= { all: new Set(), looking: false });
  requireRoom(lists.all, caller);
  const now = Date.now();
  const situation = await situationOf(caller, stated, sessionId, { requestId, now });
  const { snapshot, session } = situation;
  const { etag } = situation.resolution;
  const watched = { watch, caller, snapshot, version: session?.version ?? null, etag, again: now + AGAIN_MS };
  lists.all.add(watched);
  if (!lists.looking) void lookWhileAny(lists);
  const unwatch = watchCredential(caller, (why) => {
    if (lists.all.delete(watched)) watch.ended(why);
  });
  const stop = () => {
    lists.all.delete(watched);
    unwatch();
  };
  return { situation, stop };
}

function requireRoom(all: ReadonlySet<Watched>, { principal }: Caller): void {
  let open = 0;
  for (const { caller } of all)
    if (caller.principal.subject === principal.subject && caller.principal.issuer === principal.issuer) open += 1;
  if (open >= MOST_STREAMS)
    throw new AppError("overloaded", `You have ${MOST_STREAMS} streams open: close one before you open another.`);
}

async function lookWhileAny(lists: { all: Set<Watched>; looking: boolean }): Promise<void> {
  lists.looking = true;
  let revision = 0;
  let wake = () => {};
  const stop = onRevision((saved) => {
    revision = Math.max(revision, saved ?? 0);
    wake();
  });
  while (lists.all.size > 0) {
    await new Promise<void>((resolve) => {
      wake = resolve;
      setTimeout(resolve, LOOK_MS).unref();
    });
    const heard = revision;
    // Waited for once: a store that went back, as after a restored backup, never has it again.
    revision = 0;
    await lookAtAll(lists.all, heard);
  }
  stop();
  lists.looking = false;
}

async function lookAtAll(all: Set<Watched>, revision: number): Promise<void> {
  const now = Date.now();
  const sessions = [...all].flatMap(({ watch: { sessionId } }) => sessionId ?? []);
  // Whether the rules may still be relied upon while they cannot be read is for the watch of the credential to say.
  const reading = Promise.all([currentSnapshot({ minRevision: revision }), sessionVersions(sessions, new Date(now))]);
  const read = await reading.catch(() => null);
  if (read === null) return;
  const [snapshot, versions] = read;
  for (const watched of all)
    try {
      await look(watched, snapshot, versions, now);
    } catch (error) {
      const why = error instanceof AppError ? error : BROKEN;
      if (why.code === "config_unavailable") return;
      if (all.delete(watched)) watched.watch.ended(why);
    }
}

/** Ends every watch of a process that is about to end: whoever listens comes back, to another one. */
export function endListWatches(): void {
  const all = shared.quartermasterLists?.all ?? new Set();
  for (const watched of all) if (all.delete(watched)) watched.watch.ended(LEAVING);
}

const LEAVING = new AppError("config_unavailable", "This process is about to end: come back for the list.");
const BROKEN = new AppError("internal", "Something failed on our side.");

async function look(
  watched: Watched,
  snapshot: Snapshot,
  versions: ReadonlyMap<string, number>,
  now: number,
): Promise<void> {
  const { sessionId, stated, requestId, changed } = watched.watch;
  const saved = snapshot !== watched.snapshot;
  const version = sessionId === null ? null : (versions.get(sessionId) ?? null);
  if (!saved && version === watched.version && now < watched.again) return;
  // Its agent may have other attributes, which policies read.
  if (saved) watched.caller = standingOf(watched.caller, snapshot, now);
  const situation = await situationOf(watched.caller, stated, sessionId, { requestId, now, again: true });
  const before = watched.etag;
  const { etag } = situation.resolution;
  Object.assign(watched, { snapshot, version, etag, again: now + AGAIN_MS });
  if (etag !== before) changed(situation);
}
