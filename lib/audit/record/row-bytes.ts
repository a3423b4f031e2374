import type { Tuple } from "@/lib/store/db/copy-out";

const [QUOTE, BACKSLASH, FIRST_PRINTABLE] = [0x22, 0x5c, 0x20];
/** The most bytes that JSON needs for one byte of text: `\u001f`. */
const MAX_ESCAPE_BYTES = 6;
/** Escapes of control characters with a short form (RFC 8259, 7). */
const SHORT_ESCAPES: Readonly<Record<number, string>> = { 8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r" };

/**
 * Collects a row's canonical JSON as UTF-8, in one buffer that the next row overwrites. Postgres sends UTF-8, so most bytes
 * are copied as they are. Strings would be decoded first and encoded again.
 */
export class RowBytes {
  #bytes = Buffer.allocUnsafe(16 * 1024);
  #length = 0;

  /** The bytes since the last `clear`, valid until the next. */
  get view(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  /** Adds ASCII characters unchanged. */
  ascii(text: string): void {
    this.#reserve(text.length);
    for (let at = 0; at < text.length; at += 1) this.#bytes[this.#length++] = text.charCodeAt(at);
  }

  /** Adds bytes unchanged. */
  add(bytes: Uint8Array, start = 0, end = bytes.length): void {
    this.#reserve(end - start);
    const to = this.#bytes;
    let length = this.#length;
    for (let at = start; at < end; at += 1) to[length++] = bytes[at] ?? 0;
    this.#length = length;
  }

  /** Adds a column's bytes unchanged; the column must not be null. */
  column(tuple: Tuple, column: number): void {
    this.add(tuple.bytes, tuple.startOf(column), tuple.endOf(column));
  }

  /** Adds a text column as a JSON string, escaped as `JSON.stringify` does; the column must not be null. */
  quoted(tuple: Tuple, column: number): void {
    const { bytes } = tuple;
    const [start, end] = [tuple.startOf(column), tuple.endOf(column)];
    this.#reserve((end - start) * MAX_ESCAPE_BYTES + 2);
    const to = this.#bytes;
    let length = this.#length;
    to[length++] = QUOTE;
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte < FIRST_PRINTABLE) {
        this.#length = length;
        this.ascii(SHORT_ESCAPES[byte] ?? `\\u${byte.toString(16).padStart(4, "0")}`);
        length = this.#length;
        continue;
      }
      if (byte === QUOTE || byte === BACKSLASH) to[length++] = BACKSLASH;
      to[length++] = byte;
    }
    to[length++] = QUOTE;
    this.#length = length;
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * needed);
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
