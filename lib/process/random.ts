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
