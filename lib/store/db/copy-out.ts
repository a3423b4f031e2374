import type { Connection, Submittable } from "pg";

/** Bytes of COPY's header: the signature "PGCOPY…", flags, and the length of an empty extension. */
const HEADER_BYTES = 19;
const NULL = -1;
/** Milliseconds of row handling before other work gets a turn. The socket may hold megabytes of rows. */
const TURN_MS = 10;

/**
 * One row in the binary format of COPY, decoded in place. The driver would spend most of the time of a million-row read
 * on making strings, dates and objects.
 */
export class Tuple {
  #bytes: Buffer = Buffer.alloc(0);
  /** For each column, the offset where its bytes begin (-1 for a null) and end. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  /** Decodes the row that begins at `offset`; false at the end of the answer. */
  read(bytes: Buffer, offset: number): boolean {
    const columns = bytes.readInt16BE(offset);
    if (columns < 0) return false;
    this.#bytes = bytes;
    let at = offset + 2;
    for (let column = 0; column < columns; column += 1) {
      const length = bytes.readInt32BE(at);
      at += 4;
      this.#starts[column] = length === NULL ? NULL : at;
      if (length !== NULL) at += length;
      this.#ends[column] = at;
    }
    return true;
  }

  isNull(column: number): boolean {
    return this.#starts[column] === NULL;
  }

  /** The bytes that hold the row. */
  get bytes(): Buffer {
    return this.#bytes;
  }

  /** Where a column that is not null begins in `bytes`. */
  startOf(column: number): number {
    return this.#starts[column] ?? NULL;
  }

  /** Where a column that is not null ends in `bytes`. */
  endOf(column: number): number {
    return this.#ends[column] ?? NULL;
  }

  /** A text column; `null` for a null. */
  text(column: number): string | null {
    return this.isNull(column) ? null : this.#bytes.toString("utf8", this.#starts[column], this.#ends[column]);
  }

  /** A column of bytes, valid only until the next row; `null` for a null. */
  view(column: number): Buffer | null {
    return this.isNull(column) ? null : this.#bytes.subarray(this.#starts[column], this.#ends[column]);
  }

  /** A double column that is not null. */
  double(column: number): number {
    return this.#bytes.readDoubleBE(this.#starts[column]);
  }

  /** A time column that is not null, in microseconds since 2000; infinity is the highest or the lowest number. */
  microseconds(column: number): bigint {
    return this.#bytes.readBigInt64BE(this.#starts[column]);
  }
}

/**
 * `COPY (SELECT …) TO STDOUT (FORMAT binary)` as a query of `pg`. Handles each row as it arrives and stores none, so
 * memory does not grow with the number of rows.
 */
export class CopyOut implements Submittable {
  /** Resolves after the last row. Rejects with the error of the database or of `each`. */
  readonly done: Promise<void>;
  /** `pg` wraps this function to enforce its time limit of a statement, so it must be assignable. */
  callback: (error?: Error | null) => void = () => {};
  readonly #sql: string;
  readonly #each: (row: Tuple) => void;
  readonly #row = new Tuple();
  #begun = false;
  #connection: Connection | null = null;
  /** When this query began to hand on rows without giving other work a turn. */
  #since: number | null = null;
  #failed: Error | null = null;

  constructor(select: string, each: (row: Tuple) => void) {
    this.#sql = `COPY (${select}) TO STDOUT (FORMAT binary)`;
    this.#each = each;
    this.done = new Promise((resolve, reject) => {
      this.callback = (error) => (error ? reject(error) : resolve());
    });
  }

  submit(connection: Connection): void {
    this.#connection = connection;
    connection.query(this.#sql);
  }

  /** Takes one row. The header comes first, in the same message or in its own. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    const start = this.#begun ? 0 : HEADER_BYTES;
    this.#begun = true;
    // Thrown here, the error would break the socket. The remaining rows are read and ignored.
    if (this.#failed !== null || start >= chunk.length) return;
    try {
      if (this.#row.read(chunk, start)) this.#each(this.#row);
    } catch (error) {
      this.#failed = error instanceof Error ? error : new Error(String(error));
    }
    this.#giveWay();
  }

  /** Gives other work a turn: pauses the socket until the next turn of the event loop. */
  #giveWay(): void {
    const now = performance.now();
    this.#since ??= now;
    if (now - this.#since < TURN_MS) return;
    this.#since = now;
    const { stream } = this.#connection as Connection;
    if (stream.isPaused()) return;
    stream.pause();
    setImmediate(() => stream.resume());
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    // After a timeout, rows that are still in the socket are ignored.
    this.#failed ??= error;
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(this.#failed);
  }
}
