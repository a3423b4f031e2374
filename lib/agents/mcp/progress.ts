import type { ServerContext } from "@modelcontextprotocol/server";
import type { Json } from "@/lib/access/model/configuration";
import type { CallEvent } from "@/lib/store/calls/call-notices";
import type { CallListener } from "@/lib/calls/pipeline/call";

/** The most of a streamed chunk that is told as progress, in characters; the whole is in the result. */
const MAX_MESSAGE = 4_000;
/** How much further progress is when a tool says no more than that there is some. */
const STEP = 1e-6;

/**
 * Tells the client how a call goes, when it asked for that with a progress token. The protocol wants each value greater
 * than the one before; tools that know no end, and chunks, go forward by next to nothing.
 */
export function progressOf({ mcpReq }: ServerContext): CallListener | null {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return null;
  let last = -STEP;
  const tell = (fraction: number, message: string) => {
    last = Math.max(fraction, last + STEP);
    const params = { progressToken, progress: last, total: 1, ...(message !== "" && { message }) };
    // Whoever has left hears nothing.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
  return { progress: tell, chunk: (data) => tell(last, textOf(data)) };
}

/** The same for what is heard of a call that runs elsewhere. */
export function toHearer(listener: CallListener | null): (event: CallEvent) => void {
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
