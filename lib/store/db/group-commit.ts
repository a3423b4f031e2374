/** Postgres's error classes for a row's own data: out of range, constraint, too large (PostgreSQL, Appendix A). */
const DATA_ERROR = /^(22|23|54)[0-9A-Z]{3}$/;

/** After a failure that took longer, the waiting items fail too: another statement would exceed their deadline. */
const SLOW_FAILURE_MS = 900;

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches writes: while a statement runs, new items wait, and the next statement writes at most `maxBatch` of them. A
 * single item does not wait. A statement begins after its items have arrived, so it reads what was committed before them.
 *
 * An item whose data Postgres refuses fails alone. After a slow failure of the store the waiting items fail too
 * (docs/reference/promises.md#loss-of-the-store).
 *
 * @param write one statement, all or nothing; it returns a result for each item, in order
 */
export function groupCommit<T, R>(
  write: (items: readonly T[]) => Promise<readonly R[]>,
  maxBatch: number,
): (item: T) => Promise<R> {
  const waiting: Waiting<T, R>[] = [];
  let running = false;

  const writeWaiting = () => {
    if (!running && waiting.length > 0) void writeBatch(waiting.splice(0, maxBatch));
  };

  const writeBatch = async (group: readonly Waiting<T, R>[]) => {
    running = true;
    const begun = performance.now();
    const storeFailure = await writeAndSettle(write, group);
    if (storeFailure !== undefined && performance.now() - begun > SLOW_FAILURE_MS)
      for (const { reject } of waiting.splice(0)) reject(storeFailure);
    running = false;
    writeWaiting();
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      writeWaiting();
    });
}

/** Writes items and settles each. Returns a failure of the store, but none that an item's data caused. */
async function writeAndSettle<T, R>(
  write: (items: readonly T[]) => Promise<readonly R[]>,
  group: readonly Waiting<T, R>[],
): Promise<unknown> {
  try {
    const results = await write(group.map(({ item }) => item));
    if (results.length !== group.length)
      throw new Error(`the statement returned ${results.length} results for ${group.length} items`);
    for (const [index, { resolve }] of group.entries()) resolve(results[index] as R);
    return undefined;
  } catch (error) {
    if (isDataError(error) && group.length > 1) {
      const failures = await Promise.all(group.map((one) => writeAndSettle(write, [one])));
      return failures.find((failure) => failure !== undefined);
    }
    for (const { reject } of group) reject(error);
    return isDataError(error) ? undefined : error;
  }
}

function isDataError(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && DATA_ERROR.test(code);
}
