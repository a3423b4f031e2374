/** Postgres's classes of errors that are about a row's own data: out of range, a constraint, too large (PostgreSQL, Appendix A). */
const OF_ITS_DATA = /^(22|23|54)[0-9A-Z]{3}$/;

/** Milliseconds after which a statement that failed has used up the time of those that waited for it, too. */
const TOO_LONG_MS = 900;

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit. What is asked for while `lanes` statements are under way goes with the next, all in one (`most` at most):
 * alone nothing waits, and the more is asked for at once, the less each costs. A statement begins after all of its items
 * were asked for, so whatever it reads is no older than any of them.
 *
 * One item whose data cannot be written takes no other with it. A store that is lost is lost for those that wait as well:
 * they would only come to know it later (docs/reference/promises.md#loss-of-the-store).
 *
 * @param write one statement, all or nothing; a result for each item, in their order
 */
export function together<T, R>(
  write: (items: readonly T[]) => Promise<readonly R[]>,
  { lanes, most }: { readonly lanes: number; readonly most: number },
): (item: T) => Promise<R> {
  let waiting: Waiting<T, R>[] = [];
  let under = 0;

  const depart = () => {
    const departing = Math.min(lanes - under, Math.ceil(waiting.length / most));
    for (let lane = 0; lane < departing; lane += 1) void fly(waiting.splice(0, most));
  };

  const fly = async (group: readonly Waiting<T, R>[]) => {
    under += 1;
    const begun = performance.now();
    try {
      await answered(write, group);
    } catch (error) {
      if (group.length > 1 && isOfItsData(error)) await Promise.all(group.map((one) => alone(write, one)));
      else for (const { reject } of group) reject(error);
      if (performance.now() - begun > TOO_LONG_MS) {
        const late = waiting;
        waiting = [];
        for (const { reject } of late) reject(error);
      }
    }
    under -= 1;
    depart();
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      depart();
    });
}

async function answered<T, R>(
  write: (items: readonly T[]) => Promise<readonly R[]>,
  group: readonly Waiting<T, R>[],
): Promise<void> {
  const results = await write(group.map(({ item }) => item));
  if (results.length !== group.length) throw new Error(`${group.length} were asked for, ${results.length} answered`);
  for (const [index, { resolve }] of group.entries()) resolve(results[index] as R);
}

async function alone<T, R>(write: (items: readonly T[]) => Promise<readonly R[]>, one: Waiting<T, R>): Promise<void> {
  try {
    await answered(write, [one]);
  } catch (error) {
    one.reject(error);
  }
}

function isOfItsData(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && OF_ITS_DATA.test(code);
}
