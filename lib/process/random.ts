import { randomFillSync } from "node:crypto";

/** Bytes per request to the system: one request costs as much for 32 bytes as for a page. */
const POOL_BYTES = 4_096;

const pool = new Uint8Array(POOL_BYTES);
let used = POOL_BYTES;

/** A few secure random bytes, for values that every call needs. Each byte leaves the pool once. */
export function takeRandomBytes(count: number): Uint8Array<ArrayBuffer> {
  if (count > POOL_BYTES) throw new RangeError(`at most ${POOL_BYTES} bytes`);
  if (used + count > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const taken = pool.slice(used, used + count);
  pool.fill(0, used, used + count);
  used += count;
  return taken;
}

/**
 * A UUID of version 7 (RFC 9562, 5.7). Its first twelve hex digits are the time; 74 random bits distinguish ids of the same
 * millisecond.
 *
 * @param at milliseconds since 1970
 */
export function uuidOfTime(at: number): string {
  const bytes = Buffer.concat([Buffer.alloc(6), takeRandomBytes(10)]);
  bytes.writeUIntBE(at, 0, 6);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
