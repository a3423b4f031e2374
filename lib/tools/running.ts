import { AppError } from "@/lib/errors";
import { onCallCancelled } from "@/lib/store/kept-calls";

/** Next bundles each route on its own: the calls of a process are one set. */
const shared = globalThis as typeof globalThis & { quartermasterRunning?: Map<string, AbortController> };

function calls(): Map<string, AbortController> {
  if (shared.quartermasterRunning === undefined) {
    const own = new Map<string, AbortController>();
    shared.quartermasterRunning = own;
    onCallCancelled((callId) => own.get(callId)?.abort(new AppError("cancelled", "The call was cancelled.")));
  }
  return shared.quartermasterRunning;
}

/** Notes that this process runs a call, so that it can be cancelled from any instance. Returns what ends that. */
export function running(callId: string, controller: AbortController): () => void {
  const own = calls();
  own.set(callId, controller);
  return () => void own.delete(callId);
}
