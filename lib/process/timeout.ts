/**
 * Resolves like `work`, or with `late` when the time is over first; the work itself goes on. The timer keeps a process
 * alive that waits for nothing else, but never after the answer.
 */
export async function withTimeout<T, L>(work: Promise<T>, milliseconds: number, late: L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<L>((resolve) => {
    timer = setTimeout(resolve, milliseconds, late);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
