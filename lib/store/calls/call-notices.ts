import type { Json } from "@/lib/access/model/configuration";
import { db, listen } from "@/lib/store/db/database";

/** Most bytes of a Postgres notice, with some room. Larger data reaches the caller only in the answer. */
const NOTICE_BYTES = 7_500;

/** An event of a running call for its followers on any instance. */
export interface CallEvent {
  readonly callId: string;
  readonly event: "progress" | "chunk";
  readonly data: Json;
}

/** Publishes an event to the call's followers. Drops an event that is too large for a notice. */
export async function publishEvent(callId: string, event: CallEvent["event"], data: Json): Promise<void> {
  const text = JSON.stringify({ callId, event, data } satisfies CallEvent);
  if (Buffer.byteLength(text) <= NOTICE_BYTES) await db().$executeRaw`SELECT pg_notify('call_event', ${text})`;
}

/** Publishes the end of a call that has no stored row to its followers. */
export async function publishEnd(callId: string): Promise<void> {
  await db().$executeRaw`SELECT pg_notify('call_ended', ${callId})`;
}

/** Subscribes to the events of running calls. */
export function onCallEvent(handler: (event: CallEvent) => void): () => void {
  return listen("call_event", (payload) => {
    if (payload !== null) handler(JSON.parse(payload) as CallEvent);
  });
}

/** Subscribes to cancellations of running calls; `null` = notices may have been lost. */
export function onCallCancelled(handler: (callId: string | null) => void): () => void {
  return listen("call_cancelled", handler);
}

/** Subscribes to the ends of calls; `null` = notices may have been lost. */
export function onCallEnded(handler: (callId: string | null) => void): () => void {
  return listen("call_ended", handler);
}
