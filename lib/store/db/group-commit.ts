/** Postgres's error classes for a row's own data: out of range, constraint, too large (PostgreSQL, Appendix A). */
const DATA_ERROR = /^(22|23|54)[0-9A-Z]{3}$/;

/** After a failure that took longer than this, the waiting items fail too: they would exceed their own time limit. */
const SLOW_FAILURE_MS = 900;

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches writes: while a statement runs, new items wait, and the next statement writes at most `maxBatch` of them. A
 * single item does not wait. A statement begins after its items arrived, so it reads nothing older than them.
 *
 * An item whose data Postgres refuses fails alone. When the store is lost, the waiting items fail at once
 * (docs/reference/promises.md#loss-of-the-store).
 *
 * @param write one statement, all or nothing; it returns a result for each item, in order
 */
export function groupCommit<T, R>(
  write: (items: readonly T[]) => Promise<readonly R[]>,
  maxBatch: number,
): (item: T) => Promise<R> {
  let waiting: Waiting<T, R>[] = [];
  let running = false;

  const writeWaiting = () => {
    if (!running && waiting.length > 0) void writeBatch(waiting.splice(0, maxBatch));
  };

  const writeBatch = async (group: readonly Waiting<T, R>[]) => {
    running = true;
    const begun = performance.now();
    try {
      await writeAndResolve(write, group);
    } catch (error) {
      if (group.length > 1 && isDataError(error)) await Promise.all(group.map((one) => writeAlone(write, one)));
      else for (const { reject } of group) reject(error);
      if (performance.now() - begun > SLOW_FAILURE_MS) {
        const late = waiting;
        waiting = [];
        for (const { reject } of late) reject(error);
      }
    }
    running = false;
    writeWaiting();
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      writeWaiting();
    });
}

async function writeAndResolve<T, R>(
  write: (items: readonly T[]) => Promise<readonly R[]>,
  group: readonly Waiting<T, R>[],
): Promise<void> {
  const results = await write(group.map(({ item }) => item));
  if (results.length !== group.length)
    throw new Error(`${group.length} were written, and ${results.length} results returned`);
  for (const [index, { resolve }] of group.entries()) resolve(results[index] as R);
}

async function writeAlone<T, R>(
  write: (items: readonly T[]) => Promise<readonly R[]>,
  one: Waiting<T, R>,
): Promise<void> {
  try {
    await writeAndResolve(write, [one]);
  } catch (error) {
    one.reject(error);
  }
}

function isDataError(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && DATA_ERROR.test(code);
}
