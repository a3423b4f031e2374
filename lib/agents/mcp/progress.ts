import type { ServerContext } from "@modelcontextprotocol/server";
import type { Json } from "@/lib/access/model/configuration";
import type { CallEvent } from "@/lib/store/calls/call-notices";
import type { CallListener } from "@/lib/calls/pipeline/call";

/** Most characters of a streamed chunk in a progress message. The result contains the whole. */
const MAX_MESSAGE = 4_000;
/** Step of the progress value when a tool reports progress without a fraction. */
const STEP = 1e-6;

/**
 * Reports a call's progress to a client that sent a progress token. The protocol requires each value to be greater than
 * the last, so chunks and progress without a fraction add a tiny step.
 */
export function progressOf({ mcpReq }: ServerContext): CallListener | null {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return null;
  let last = -STEP;
  const sendProgress = (fraction: number, message: string) => {
    last = Math.max(fraction, last + STEP);
    const params = { progressToken, progress: last, total: 1, ...(message !== "" && { message }) };
    // A client that has left receives nothing.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
  return { progress: sendProgress, chunk: (data) => sendProgress(last, textOf(data)) };
}

/** Forwards the events of a call that runs in another process to the listener. */
export function toEventForwarder(listener: CallListener | null): (event: CallEvent) => void {
  return ({ event, data }) => {
    if (listener === null) return;
    if (event === "chunk") return listener.chunk(data);
    const { fraction, message } = data as { readonly fraction: number; readonly message: string };
    listener.progress(fraction, message);
  };
}

function textOf(data: Json): string {
  return (typeof data === "string" ? data : JSON.stringify(data)).slice(0, MAX_MESSAGE);
}
