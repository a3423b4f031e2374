/** Registers a function that closes a resource at the end. */
export type AtEnd = (close: () => Promise<void> | void) => void;

/** Runs a bench, then closes its resources in reverse order, also after a failure. */
export async function closing(measure: (atEnd: AtEnd) => Promise<void>): Promise<void> {
  const opened: Parameters<AtEnd>[0][] = [];
  try {
    await measure((close) => void opened.push(close));
  } finally {
    for (const close of opened.toReversed()) await close();
  }
}
