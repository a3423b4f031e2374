/** A page of a longer list, and the cursor of the next one. */
interface Page {
  readonly nextCursor: string | null;
}

/**
 * The pages of a list in their order. Reads the next page while the present one is used: the store and this process work
 * at the same time, and two pages are held.
 *
 * @param read reads the page after a cursor; `null` = the first page
 */
export async function* readAhead<P extends Page>(
  read: (cursor: string | null) => Promise<P>,
): AsyncGenerator<P, void, void> {
  for (let next: Promise<P> | null = read(null); next !== null;) {
    const page: P = await next;
    next = page.nextCursor === null ? null : read(page.nextCursor);
    // An error is thrown when the page is wanted. A reader who has left wants none.
    next?.catch(() => {});
    yield page;
  }
}
