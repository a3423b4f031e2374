import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "@/lib/errors";
import { onCallCancelled } from "@/lib/store/calls/call-notices";
import { cancelledOf } from "@/lib/store/calls/kept-calls";

/** Milliseconds between two looks for the end of the last call. */
const LOOK_MS = 50;

/** A call that this process has: how often it is held, and what tells all who hold it that it is cancelled. */
interface Held {
  readonly cancelled: AbortController;
  holders: number;
}

/** Next bundles each route on its own: the calls of a process are one set. */
const shared = globalThis as typeof globalThis & { quartermasterRunning?: Map<string, Held> };

function calls(): Map<string, Held> {
  if (shared.quartermasterRunning === undefined) {
    const own = new Map<string, Held>();
    shared.quartermasterRunning = own;
    onCallCancelled((callId) => {
      if (callId !== null) return cancelHere(callId);
      // What cannot be asked now is asked when notices flow again.
      void cancelledOf([...own.keys()]).then(
        (cancelled) => cancelled.forEach(cancelHere),
        () => {},
      );
    });
  }
  return shared.quartermasterRunning;
}

/** Cancels a call as far as this process has it. */
export function cancelHere(callId: string): void {
  calls().get(callId)?.cancelled.abort(new AppError("cancelled", "The call was cancelled."));
}

/**
 * Notes that this process has a call, so that it can be cancelled from any instance: then `controller` is aborted. Returns
 * what ends that. The door, the queue, the pipeline and the run may each hold one call: what is said to it reaches all of
 * them, in whatever order they come and go.
 */
export function running(callId: string, controller?: AbortController): () => void {
  const own = calls();
  const held = own.get(callId) ?? { cancelled: new AbortController(), holders: 0 };
  own.set(callId, held);
  held.holders += 1;
  const { signal } = held.cancelled;
  const pass = () => controller?.abort(signal.reason);
  if (signal.aborted) pass();
  signal.addEventListener("abort", pass, { once: true });
  return () => {
    signal.removeEventListener("abort", pass);
    held.holders -= 1;
    if (held.holders === 0) own.delete(callId);
  };
}

/** Resolves once this process runs no call. */
export async function untilNoneRuns(): Promise<void> {
  while (calls().size > 0) await delay(LOOK_MS);
}
