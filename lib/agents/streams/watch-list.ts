import { nextMatchChange } from "@/lib/access/decide/remember";
import { singleton } from "@/lib/process/singleton";
import { callContextOf } from "@/lib/agents/rest/list";
import { openStream } from "@/lib/agents/streams/open-streams";
import { reauthenticate } from "@/lib/auth/agents/authenticate";
import type { Caller } from "@/lib/auth/agents/caller";
import { watchCredential } from "@/lib/auth/agents/watch-credential";
import { AppError, toAppError } from "@/lib/errors";
import { namesOf } from "@/lib/calls/pipeline/labels";
import { heldLabelSets } from "@/lib/store/labels/held-labels";
import { sessionVersions } from "@/lib/store/calls/sessions";
import { log } from "@/lib/telemetry/log";
import { currentSnapshot, onRevision, type Snapshot } from "@/lib/store/snapshot/snapshot";
import type { Stated } from "@/lib/calls/pipeline/request-fields";
import type { CallContext } from "@/lib/calls/pipeline/call-context";

/** Milliseconds between two checks without a notice: sessions move, and notices may be lost (docs/reference/promises.md#immediacy). */
const CHECK_MS = 500;
/** Most milliseconds until a list is resolved again without a save. A rule or a grant that begins or ends earlier counts at once. */
const RESOLVE_INTERVAL_MS = 15_000;

interface ListWatch {
  readonly caller: Caller;
  readonly stated: Stated;
  readonly sessionId: string | null;
  readonly requestId: string;
  /** The caller's list has changed; the context has the new one. */
  readonly changed: (context: CallContext) => void;
  /** The watch is over: the credential or the session has ended, or the store is lost. */
  readonly ended: (why: AppError) => void;
}

interface Watched {
  readonly watch: ListWatch;
  caller: Caller;
  snapshot: Snapshot;
  /** The session's version at the last check; `null` without a session or after its end, which the next resolution reports. */
  version: number | null;
  /** The held labels at the last check, as one text; `""` when no rule reads labels. */
  labels: string;
  etag: string;
  /** When to resolve again without news, epoch milliseconds. */
  resolveAt: number;
  /** Releases the caller's place. */
  readonly close: () => void;
}

/** One check serves every stream of the process. */
const watchedLists = singleton("Lists", () => ({ all: new Set<Watched>(), isChecking: false }));

/**
 * Reports each change of a caller's own list, and nothing else. A save, a step of its session or the time of day may
 * change it (docs/reference/http.md#agent-api). A check without such news resolves nothing.
 *
 * @returns the present context, and the function that stops the watch
 * @throws AppError errors of a list; `quota_exceeded` with too many open streams
 */
export async function watchList(
  watch: ListWatch,
): Promise<{ readonly context: CallContext; readonly stop: () => void }> {
  const { caller, stated, sessionId, requestId } = watch;
  const lists = watchedLists();
  const now = Date.now();
  const context = await callContextOf(caller, stated, sessionId, { requestId, now });
  const { snapshot, session } = context;
  const { etag } = context.resolution;
  const version = session?.version ?? null;
  const labels = namesOf(context.labels.held).join();
  const close = openStream(caller.principal);
  const watched = {
    watch,
    caller: context.caller,
    snapshot,
    version,
    labels,
    etag,
    resolveAt: nextResolveAt(context),
    close,
  };
  lists.all.add(watched);
  if (!lists.isChecking) void checkWhileAny(lists);
  const unwatch = watchCredential(caller, (why) => {
    end(lists.all, watched, why);
  });
  const stop = () => {
    forget(lists.all, watched);
    unwatch();
  };
  return { context, stop };
}

/** When to resolve a list again without news (epoch ms): at the next time at which other policies or grants match its caller. */
function nextResolveAt({ snapshot, request, now }: CallContext): number {
  return Math.min(now + RESOLVE_INTERVAL_MS, nextMatchChange(snapshot.index, request.claims, now));
}

/** Stops watching; false when it was already stopped. */
function forget(all: Set<Watched>, watched: Watched): boolean {
  watched.close();
  return all.delete(watched);
}

/** Ends a watch once. One stream that fails to end must not stop the checks of the others. */
function end(all: Set<Watched>, watched: Watched, why: AppError): void {
  if (!forget(all, watched)) return;
  try {
    watched.watch.ended(why);
  } catch (error) {
    log.error({ requestId: watched.watch.requestId, err: error }, "A stream of a list could not be ended.");
  }
}

async function checkWhileAny(lists: { all: Set<Watched>; isChecking: boolean }): Promise<void> {
  lists.isChecking = true;
  let revision = 0;
  let wake = () => {};
  const stop = onRevision((saved) => {
    revision = Math.max(revision, saved ?? 0);
    wake();
  });
  try {
    while (lists.all.size > 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, CHECK_MS).unref();
      });
      const announced = revision;
      // Waits for a revision only once: after a restored backup, the store may never reach it again.
      revision = 0;
      await checkAll(lists.all, announced);
    }
  } finally {
    stop();
    lists.isChecking = false;
  }
}

async function checkAll(all: Set<Watched>, revision: number): Promise<void> {
  const now = Date.now();
  const sessions = [...all].flatMap(({ watch: { sessionId } }) => sessionId ?? []);
  // When the rules cannot be read, the watch of the credential decides how long they stay usable.
  const reading = Promise.all([currentSnapshot(revision), sessionVersions(sessions, new Date(now))]);
  const read = await reading.catch(() => null);
  if (read === null) return;
  const [snapshot, versions] = read;
  const lists = [...all];
  const labels = await labelsOf(lists, snapshot, new Date(now)).catch(() => null);
  if (labels === null) return;
  for (const [number, watched] of lists.entries())
    try {
      await checkOne(watched, { snapshot, versions, labels: labels[number] ?? "", now });
    } catch (error) {
      const why = toAppError(error);
      if (why.code === "config_unavailable") return;
      end(all, watched, why);
    }
}

/** The held labels of each list's caller, as one text; empty texts when no rule reads labels. */
async function labelsOf(lists: readonly Watched[], { index }: Snapshot, now: Date): Promise<readonly string[]> {
  if (index.flows.all.length === 0) return [];
  return heldLabelSets(
    lists.map(({ caller: { principal }, watch: { sessionId } }) => ({ ...principal, sessionId })),
    now,
  );
}

/** Ends every watch of a process that is about to end, so that clients connect to another one. */
export function endListWatches(): void {
  const { all } = watchedLists();
  for (const watched of all) end(all, watched, SHUTTING_DOWN);
}

const SHUTTING_DOWN = new AppError("config_unavailable", "This process is shutting down: request the list again.");

interface News {
  readonly snapshot: Snapshot;
  readonly versions: ReadonlyMap<string, number>;
  readonly labels: string;
  readonly now: number;
}

async function checkOne(watched: Watched, { snapshot, versions, labels, now }: News): Promise<void> {
  const { sessionId, stated, requestId, changed } = watched.watch;
  const isSaved = snapshot !== watched.snapshot;
  const version = sessionId === null ? null : (versions.get(sessionId) ?? null);
  if (!isSaved && version === watched.version && labels === watched.labels && now < watched.resolveAt) return;
  // The agent may have new attributes. The watch of the credential verifies it.
  if (isSaved) watched.caller = reauthenticate(watched.caller, snapshot, now);
  const context = await callContextOf(watched.caller, stated, sessionId, { requestId, now, isRepeated: true });
  const before = watched.etag;
  const { etag } = context.resolution;
  const { caller, snapshot: resolved } = context;
  Object.assign(watched, { caller, snapshot: resolved, version, labels, etag, resolveAt: nextResolveAt(context) });
  if (etag !== before) changed(context);
}
