import { nextCursor, positionOf } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { RefundsQuery } from '../contracts/refunds.ts';
import type { RefundByHand } from '../ports.ts';

/** Lists refunds that staff have to pay out, newest first. @throws DomainError VALIDATION_FAILED */
export async function listRefunds(
  { openPayments, signed }: Services,
  { tenantId }: Caller,
  { propertyId, limit, cursor }: RefundsQuery,
): Promise<{ items: RefundByHand[]; nextCursor?: string }> {
  const { items, next } = await openPayments.byHand(tenantId, propertyId, limit, positionOf(signed, cursor));
  return { items, nextCursor: nextCursor(signed, next) };
}
