import { Refusal } from '../domain/refusal.ts';
import type { PagePosition } from '../ports/reservation-reader.ts';
import type { SignedText } from './signed-text.ts';

/** The text behind which a page position travels; `undefined` on the last page. */
export function nextCursor(signed: SignedText, next: PagePosition | undefined): string | undefined {
  return next && signCursor(signed, [next.createdAt, next.id]);
}

/** @throws Refusal VALIDATION_FAILED for a cursor that we did not make */
export function positionOf(signed: SignedText, cursor: string | undefined): PagePosition | undefined {
  if (cursor === undefined) return undefined;
  const [createdAt, id] = openCursor(signed, cursor) as [number, string];
  return { createdAt, id };
}

/** @param bound the list that the cursor is of, where it must not be taken for that of another one */
export function signCursor(signed: SignedText, position: unknown, bound = ''): string {
  return signed.sign('cursor', Buffer.from(JSON.stringify(position)).toString('base64url'), bound);
}

/** What {@link signCursor} was given. @throws Refusal VALIDATION_FAILED for a cursor that we did not make */
export function openCursor(signed: SignedText, cursor: string, bound = ''): unknown {
  const payload = signed.open('cursor', cursor, bound);
  if (payload === undefined) {
    const errors = [{ parameter: 'cursor', code: 'NOT_OURS', detail: 'take it from nextCursor as it is' }];
    throw new Refusal('VALIDATION_FAILED', 'The cursor is not one of ours.', { errors });
  }
  return JSON.parse(Buffer.from(payload, 'base64url').toString());
}
