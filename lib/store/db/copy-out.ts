import type { Connection, Submittable } from "pg";

/** "PGCOPY", what tells a file from one whose line ends were changed, flags, and the length of an extension: none. */
const HEADER_BYTES = 19;
const NULL = -1;
/** How long rows are handed on at a time, in milliseconds: the socket may have megabytes of them. */
const TURN_MS = 10;

/**
 * One row as Postgres keeps it, in the binary format of COPY: looked at where it lies. Of a million rows, that is most
 * of the time that the driver would take to make strings, dates and objects of them.
 */
export class Tuple {
  #bytes: Buffer = Buffer.alloc(0);
  /** By column, where its bytes begin, -1 for a null, and end. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  /** Takes on the row that begins at `offset`; false where there is none: the end of the answer. */
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

  /** A column of text; `null` for a null. */
  text(column: number): string | null {
    return this.isNull(column) ? null : this.#bytes.toString("utf8", this.#starts[column], this.#ends[column]);
  }

  /** A column of bytes, to be looked at until the next row; `null` for a null. */
  view(column: number): Buffer | null {
    return this.isNull(column) ? null : this.#bytes.subarray(this.#starts[column], this.#ends[column]);
  }

  /** A double that is not null. */
  double(column: number): number {
    return this.#bytes.readDoubleBE(this.#starts[column]);
  }

  /** A time that is not null: microseconds since 2000, or the highest and the lowest number for what has no end. */
  microseconds(column: number): bigint {
    return this.#bytes.readBigInt64BE(this.#starts[column]);
  }
}

/**
 * `COPY (SELECT …) TO STDOUT (FORMAT binary)` as a query of `pg`. Rows are handed on as they arrive, and nothing is read
 * from the socket meanwhile: however many there are, they take the memory of one.
 */
export class CopyOut implements Submittable {
  /** Resolves after the last row; rejects with what the database, or `each`, threw. */
  readonly done: Promise<void>;
  /** Called by `pg` when the statement takes too long. */
  callback: (error?: Error | null) => void = () => {};
  readonly #sql: string;
  readonly #each: (row: Tuple) => void;
  readonly #row = new Tuple();
  #begun = false;
  #connection: Connection | null = null;
  /** When rows were first handed on since others had their turn. */
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

  /** One row; before the first, the header, in the same message or one of its own. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    const start = this.#begun ? 0 : HEADER_BYTES;
    this.#begun = true;
    // Thrown here, an error would be the socket's; the rows after it are of no use, but have to be taken.
    if (this.#failed !== null || start >= chunk.length) return;
    try {
      if (this.#row.read(chunk, start)) this.#each(this.#row);
    } catch (error) {
      this.#failed = error instanceof Error ? error : new Error(String(error));
    }
    this.#giveWay();
  }

  /** Lets others have their turn: what has arrived is handed on, and the socket is read again after that. */
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
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(this.#failed);
  }
}
