import type { Json } from "@/lib/access/model/configuration";
import { db, listen } from "@/lib/store/db/database";

/** The most that a notice of Postgres may carry, in bytes, with some room: what is larger is in the answer. */
const NOTICE_BYTES = 7_500;

/** Something that a running call tells those who follow it, on any instance. */
export interface CallEvent {
  readonly callId: string;
  readonly event: "progress" | "chunk";
  readonly data: Json;
}

/** Tells whoever follows the call; what is too large for a notice is left to the answer. */
export async function publishEvent(callId: string, event: CallEvent["event"], data: Json): Promise<void> {
  const text = JSON.stringify({ callId, event, data } satisfies CallEvent);
  if (Buffer.byteLength(text) <= NOTICE_BYTES) await db().$executeRaw`SELECT pg_notify('call_event', ${text})`;
}

/** Tells whoever follows a call that is not kept that it has ended. */
export async function tellEnded(callId: string): Promise<void> {
  await db().$executeRaw`SELECT pg_notify('call_ended', ${callId})`;
}

/** Hears what running calls tell. */
export function onCallEvent(handler: (event: CallEvent) => void): () => void {
  return listen("call_event", (payload) => {
    if (payload !== null) handler(JSON.parse(payload) as CallEvent);
  });
}

/** Hears of calls that were cancelled while they run; `null` = some may have been, unheard. */
export function onCallCancelled(handler: (callId: string | null) => void): () => void {
  return listen("call_cancelled", handler);
}

/** Hears of kept calls that have ended; `null` = some may have, unheard. */
export function onCallEnded(handler: (callId: string | null) => void): () => void {
  return listen("call_ended", handler);
}
