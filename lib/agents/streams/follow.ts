import { singleton } from "@/lib/process/singleton";
import { readCallStatus, type CallStatus } from "@/lib/agents/rest/call-status";
import type { Caller } from "@/lib/auth/agents/caller";
import { AppError } from "@/lib/errors";
import { onCallEnded, onCallEvent, type CallEvent } from "@/lib/store/calls/call-notices";
import { identityParts, type Principal } from "@/lib/store/calls/sessions";
import { raiseOnReader, readerOf } from "@/lib/calls/pipeline/may-read";

/**
 * Milliseconds between two reads without a notice. A notice may be lost with its connection, and a call without a stored
 * row sends no notice at its end.
 */
const POLL_MS = 5_000;

/** A call with followers in this process. */
interface Followed {
  readonly ended: Promise<CallStatus>;
  readonly listeners: Set<(event: CallEvent) => void>;
  readonly stop: () => void;
  followers: number;
}

const followedCalls = singleton("Followed", () => new Map<string, Followed>());

/**
 * Follows a call of this caller until it has ended, or returns `null` when `signal` aborts. All followers of a call in
 * this process share its reads of the store.
 *
 * @param onEvent receives progress and chunks
 * @throws AppError `not_found`
 */
export async function follow(
  id: string,
  principal: Principal,
  signal: AbortSignal,
  onEvent: (event: CallEvent) => void = () => {},
): Promise<CallStatus | null> {
  const all = followedCalls();
  // The key contains the principal, because another caller may not see the call.
  const key = JSON.stringify([id, ...identityParts(principal)]);
  const followed = all.get(key) ?? startFollowing(id, principal);
  all.set(key, followed);
  followed.followers += 1;
  followed.listeners.add(onEvent);
  try {
    return await unlessAborted(followed.ended, signal);
  } finally {
    followed.followers -= 1;
    followed.listeners.delete(onEvent);
    if (followed.followers === 0) {
      all.delete(key);
      followed.stop();
    }
  }
}

/**
 * Forwards the events of a running call in order, while the caller may still read the call: events are parts of the
 * answer, so the first raises its labels on the reader. `drained` resolves when every event so far is forwarded.
 */
export function createEventForwarder(
  id: string,
  caller: Caller,
  send: (event: CallEvent) => void,
): { readonly forward: (event: CallEvent) => void; readonly drained: () => Promise<void> } {
  let reader: ReturnType<typeof readerOf> | null = null;
  let raised: Promise<void> | null = null;
  let forwarded: Promise<void> = Promise.resolve();
  const sendAllowed = async (event: CallEvent): Promise<void> => {
    // Both happen once. A failure skips only this event, and the next one tries again.
    reader ??= readerOf(id);
    reader.catch(() => (reader = null));
    const { toolId, mayRead } = await reader;
    if (!(await mayRead(caller))) return;
    raised ??= raiseOnReader({ callId: id, toolId }, caller);
    raised.catch(() => (raised = null));
    await raised;
    send(event);
  };
  return {
    forward: (event) => {
      forwarded = forwarded.then(() => sendAllowed(event)).catch(() => {});
    },
    drained: () => forwarded,
  };
}

function startFollowing(id: string, principal: Principal): Followed {
  const listeners: Followed["listeners"] = new Set();
  let check = () => {};
  const ended = new Promise<CallStatus>((resolve, reject) => {
    check = oneAtATime(async () => {
      const status = await readCallStatus(id, principal).catch(ignoreLostStore);
      if (status?.ended === true) resolve(status);
    }, reject);
  });
  // Followers await this promise, but all of them may have left.
  ended.catch(() => {});
  const subscriptions = [
    onCallEnded((callId) => {
      if (callId === null || callId === id) check();
    }),
    onCallEvent((event) => {
      if (event.callId === id) for (const listener of listeners) listener(event);
    }),
  ];
  const timer = setInterval(check, POLL_MS).unref();
  check();
  const stop = () => {
    clearInterval(timer);
    for (const unsubscribe of subscriptions) unsubscribe();
  };
  return { ended, listeners, stop, followers: 0 };
}

/**
 * Ignores that the store is lost: the call goes on, and the next poll reads again. A follower that got the error could not
 * return, because it may not know the call's id. If the store stays lost, the watch of the credential ends the follower.
 */
function ignoreLostStore(error: unknown): null {
  if (error instanceof AppError && error.code === "config_unavailable") return null;
  throw error;
}

/**
 * Runs `work` on request, one run at a time. A request during a run causes one more run, because the state may be
 * newer. The last look at the requests and their reset are one step: a request between them would be lost.
 */
export function oneAtATime(work: () => Promise<void>, failed: (error: unknown) => void): () => void {
  let requests = 0;
  return () => {
    requests += 1;
    if (requests > 1) return;
    void (async () => {
      try {
        for (let done = 0; done !== requests;) {
          done = requests;
          await work();
        }
      } finally {
        requests = 0;
      }
    })().catch(failed);
  };
}

/** Resolves with `null` when `signal` aborts. */
async function unlessAborted<T>(awaited: Promise<T>, signal: AbortSignal): Promise<T | null> {
  let stop = () => {};
  const aborted = new Promise<null>((resolve) => {
    stop = () => resolve(null);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([awaited, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
