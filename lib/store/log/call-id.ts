import { takeRandomBytes } from "@/lib/process/random";

/** `call_` and a UUID of version 7 (RFC 9562, 5.7). Its first twelve hex digits are the time. */
const CALL_ID = /^call_([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * Creates a call id that contains the call's start, so that the id names its month even after the row is dropped. 74
 * random bits distinguish ids of the same millisecond.
 *
 * @param at milliseconds since 1970
 */
export function newCallId(at = Date.now()): string {
  const bytes = Buffer.concat([Buffer.alloc(6), takeRandomBytes(10)]);
  bytes.writeUIntBE(at, 0, 6);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString("hex");
  return `call_${[hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")}`;
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
