/** A page of a list. */
export type Page<T> = { items: readonly T[]; nextCursor: string | null };

/**
 * Items of a list, page by page.
 * @param read reads the page at a cursor; the first one without
 * @param maxPages pages that are read at most
 */
export async function* itemsOf<T>(
  read: (cursor: string | undefined) => Promise<Page<T>>,
  maxPages = Infinity,
): AsyncGenerator<T, void, void> {
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const { items, nextCursor } = await read(cursor);
    yield* items;
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}
