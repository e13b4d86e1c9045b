import { Refusal } from '../domain/refusal.ts';
import type { PagePosition } from '../ports/reservation-reader.ts';
import type { SignedText } from './signed-text.ts';

/** The text behind which a page position travels; `undefined` on the last page. */
export function nextCursor(signed: SignedText, next: PagePosition | undefined): string | undefined {
  return next && signed.sign('cursor', Buffer.from(JSON.stringify([next.createdAt, next.id])).toString('base64url'));
}

/** @throws Refusal VALIDATION_FAILED for a cursor that we did not make */
export function positionOf(signed: SignedText, cursor: string | undefined): PagePosition | undefined {
  if (cursor === undefined) return undefined;
  const payload = signed.open('cursor', cursor);
  if (payload === undefined) {
    const errors = [{ parameter: 'cursor', code: 'NOT_OURS', detail: 'take it from nextCursor as it is' }];
    throw new Refusal('VALIDATION_FAILED', 'The cursor is not one of ours.', { errors });
  }
  const [createdAt, id] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [number, string];
  return { createdAt, id };
}
