import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "@/lib/errors";
import { onCallCancelled } from "@/lib/store/call-notices";
import { cancelledOf } from "@/lib/store/kept-calls";

/** Milliseconds between two looks for the end of the last call. */
const LOOK_MS = 50;

/** Next bundles each route on its own: the calls of a process are one set. */
const shared = globalThis as typeof globalThis & { quartermasterRunning?: Map<string, AbortController> };

function calls(): Map<string, AbortController> {
  if (shared.quartermasterRunning === undefined) {
    const own = new Map<string, AbortController>();
    shared.quartermasterRunning = own;
    const cancel = (callId: string) => own.get(callId)?.abort(new AppError("cancelled", "The call was cancelled."));
    onCallCancelled((callId) => {
      if (callId !== null) return cancel(callId);
      // What cannot be asked now is asked when notices flow again.
      void cancelledOf([...own.keys()]).then(
        (cancelled) => cancelled.forEach(cancel),
        () => {},
      );
    });
  }
  return shared.quartermasterRunning;
}

/**
 * Notes that this process runs a call, so that it can be cancelled from any instance. Returns what ends that. A call that
 * is noted already, because it was taken from the queue, hears through its first controller: what was said while it
 * was decided counts.
 */
export function running(callId: string, controller: AbortController): () => void {
  const own = calls();
  const first = own.get(callId);
  if (first === undefined) {
    own.set(callId, controller);
    return () => void own.delete(callId);
  }
  const pass = () => controller.abort(first.signal.reason);
  if (first.signal.aborted) pass();
  first.signal.addEventListener("abort", pass, { once: true });
  return () => first.signal.removeEventListener("abort", pass);
}

/** Resolves once this process runs no call. */
export async function untilNoneRuns(): Promise<void> {
  while (calls().size > 0) await delay(LOOK_MS);
}
