import { pageOfRead, type PagePosition } from '../ports.ts';
import { DomainError } from '../rules/domain-error.ts';
import type { Instant } from '../rules/property-time.ts';
import type { SignedText } from './signed-text.ts';

/** Cursor of the next page; `undefined` on the last page. */
export function nextCursor(signed: SignedText, next: PagePosition | undefined): string | undefined {
  return next && signCursor(signed, [next.createdAt, next.id]);
}

/** Position of a cursor. @throws DomainError VALIDATION_FAILED for a foreign cursor */
export function positionOf(signed: SignedText, cursor: string | undefined): PagePosition | undefined {
  if (cursor === undefined) return undefined;
  const [createdAt, id] = openCursor(signed, cursor) as [number, string];
  return { createdAt, id };
}

/** @param bound list of the cursor, where it must not be valid for another one */
export function signCursor(signed: SignedText, position: unknown, bound = ''): string {
  return signed.sign('cursor', Buffer.from(JSON.stringify(position)).toString('base64url'), bound);
}

/** Payload of a cursor by {@link signCursor}. @throws DomainError VALIDATION_FAILED for a foreign cursor */
export function openCursor(signed: SignedText, cursor: string, bound = ''): unknown {
  const payload = signed.open('cursor', cursor, bound);
  if (payload === undefined) {
    const errors = [{ parameter: 'cursor', code: 'NOT_OURS', detail: 'take it from nextCursor as it is' }];
    throw new DomainError('VALIDATION_FAILED', 'The cursor is not one of ours.', { errors });
  }
  return JSON.parse(Buffer.from(payload, 'base64url').toString());
}

/**
 * A page of a list in the order of a number of its items, which its cursors have.
 * @param list whose cursors are valid for no other one
 * @param read reads at most so many items behind a number; from the beginning without one
 */
export async function pageByNumber<T>(
  signed: SignedText,
  list: string,
  { limit, cursor }: { limit: number; cursor?: string },
  numberOf: (item: T) => number,
  read: (limit: number, behind: number | undefined) => Promise<T[]>,
): Promise<{ items: T[]; nextCursor?: string }> {
  const found = await read(
    limit + 1,
    cursor === undefined ? undefined : (openCursor(signed, cursor, list) as number),
  );
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return { items, ...(last && { nextCursor: signCursor(signed, numberOf(last), list) }) };
}

/** A page of what an actor holds in memory, newest first. */
export function pageOf<T extends { createdAt: Instant }>(
  signed: SignedText,
  all: readonly T[],
  idOf: (item: T) => string,
  { limit, cursor }: { limit: number; cursor?: string },
): { items: T[]; nextCursor?: string } {
  const after = positionOf(signed, cursor);
  const isAfter = (item: T): boolean =>
    !after || item.createdAt < after.createdAt || (item.createdAt === after.createdAt && idOf(item) < after.id);
  const sorted = all.toSorted((a, b) => b.createdAt - a.createdAt || (idOf(a) < idOf(b) ? 1 : -1)).filter(isAfter);
  const { items, next } = pageOfRead(sorted, limit, idOf);
  return { items, nextCursor: nextCursor(signed, next) };
}
