/** The result of one request for each of several rows. */
interface Sent<T> {
  readonly done: readonly T[];
  /** The error of each other row. */
  readonly failures: readonly Error[];
}

/** Sends a request for each row, also after one failed. @throws the first error when all failed, so that nothing is lost */
export async function sendToEach<T>(rows: readonly T[], send: (row: T) => Promise<unknown>): Promise<Sent<T>> {
  const done: T[] = [];
  const failures: Error[] = [];
  for (const row of rows)
    await send(row).then(
      () => done.push(row),
      (error: Error) => failures.push(error),
    );
  const [first] = failures;
  if (done.length === 0 && first !== undefined) throw first;
  return { done, failures };
}
