/**
 * Returns the same promise at every call, because React's `use` needs the same promise at every render. A failed load stays
 * failed until the page is reloaded: with a new promise, React would wait and load again without end.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => (loaded ??= load());
}
