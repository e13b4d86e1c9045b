/** A page of a list; the last one has no further cursor. */
export type Page<T> = { items: readonly T[]; nextCursor?: string | null };

/**
 * Items of a list, page by page.
 * @param read reads the page at a cursor; the first one without
 * @param maxPages pages that are read at most
 * @throws Error when a page leads back to one that was read: the list would have no end
 */
export async function* itemsOf<T>(
  read: (cursor: string | undefined) => Promise<Page<T>>,
  maxPages = Infinity,
): AsyncGenerator<T, void, void> {
  let cursor: string | undefined;
  const known = new Set<string>();
  for (let page = 0; page < maxPages; page++) {
    const { items, nextCursor } = await read(cursor);
    yield* items;
    if (nextCursor === null || nextCursor === undefined || nextCursor === '') return;
    if (known.has(nextCursor)) throw new Error(`the list has no end: ${nextCursor} leads to a page that was read`);
    known.add(nextCursor);
    cursor = nextCursor;
  }
}
