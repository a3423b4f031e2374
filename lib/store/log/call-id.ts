import { uuidOfTime } from "@/lib/process/random";

/** `call_` and a UUID of version 7 (RFC 9562, 5.7). Its first twelve hex digits are the time. */
const CALL_ID = /^call_([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * Creates a call id that contains the call's start, so that the id names its month even after the row is dropped.
 *
 * @param at milliseconds since 1970
 */
export function newCallId(at = Date.now()): string {
  return `call_${uuidOfTime(at)}`;
}

/** When the call with this id began; `null` when the text is not a call id. */
export function timeOfCall(callId: string): Date | null {
  const found = CALL_ID.exec(callId);
  return found === null ? null : new Date(parseInt(`${found[1]}${found[2]}`, 16));
}

/** The UTC month, such as `2026-01`, in which the call with this id began; `null` when the text is not a call id. */
export function monthOfCall(callId: string): string | null {
  return timeOfCall(callId)?.toISOString().slice(0, 7) ?? null;
}
