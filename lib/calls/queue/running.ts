import { setTimeout as delay } from "node:timers/promises";
import { singleton } from "@/lib/process/singleton";
import { AppError } from "@/lib/errors";
import { onCallCancelled } from "@/lib/store/calls/call-notices";
import { cancelledOf } from "@/lib/store/calls/stored-calls";

/** Milliseconds between two checks for the end of the last call. */
const POLL_MS = 50;

/** A call in this process: the number of its holders, and the controllers that a cancellation aborts. */
interface Held {
  readonly controllers: Set<AbortController>;
  holders: number;
  /** Set once the call was cancelled. */
  reason: AppError | null;
}

/** The calls of this process. */
const calls = singleton("Running", () => {
  const own = new Map<string, Held>();
  onCallCancelled((callId) => {
    if (callId !== null) return cancelHere(callId);
    // A failed check is repeated when notices arrive again.
    void cancelledOf([...own.keys()]).then(
      (cancelled) => cancelled.forEach(cancelHere),
      () => {},
    );
  });
  return own;
});

/** Cancels a call when this process has it. */
export function cancelHere(callId: string): void {
  const held = calls().get(callId);
  if (held === undefined || held.reason !== null) return;
  held.reason = new AppError("cancelled", "The call was cancelled.");
  for (const controller of held.controllers) controller.abort(held.reason);
}

/**
 * Registers a call of this process, so that any instance can cancel it: then `controller` is aborted. Returns the function
 * that ends the registration. Endpoint, queue, pipeline and run may each register one call: a cancellation reaches all of
 * them, in any order.
 */
export function registerRunning(callId: string, controller?: AbortController): () => void {
  const own = calls();
  const held: Held = own.get(callId) ?? { controllers: new Set(), holders: 0, reason: null };
  own.set(callId, held);
  held.holders += 1;
  if (controller !== undefined) held.controllers.add(controller);
  if (held.reason !== null) controller?.abort(held.reason);
  return () => {
    if (controller !== undefined) held.controllers.delete(controller);
    held.holders -= 1;
    if (held.holders === 0) own.delete(callId);
  };
}

/** The ids of this process's calls. */
export function runningHere(): readonly string[] {
  return [...calls().keys()];
}

/** Resolves once this process runs no call. */
export async function untilNoneRuns(): Promise<void> {
  while (calls().size > 0) await delay(POLL_MS);
}
