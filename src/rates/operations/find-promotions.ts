import { pageOf } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { PromotionsQuery } from '../contracts/promotions.ts';
import type { Promotion } from '../rules/promotion.ts';

/** Lists promotions of a property, newest first. */
export async function listPromotions(
  services: Services,
  caller: Caller,
  query: PromotionsQuery,
): Promise<{ items: Promotion[]; nextCursor?: string; today: Day; seq: number }> {
  const view = await services.properties.view({ tenantId: caller.tenantId, propertyId: query.propertyId });
  const page = pageOf(services.signed, view.promotions, ({ id }) => id, query);
  return { ...page, today: view.businessDate, seq: view.seq };
}

/** @throws DomainError PROMOTION_NOT_FOUND */
export async function getPromotion(
  services: Services,
  caller: Caller,
  id: string,
): Promise<{ promotion: Promotion; today: Day; seq: number; to: Address }> {
  const { tenantId } = caller;
  const stored = await services.sales.promotion(tenantId, id);
  if (!stored) throw new DomainError('PROMOTION_NOT_FOUND', 'The tenant has no such promotion.');
  const to = { tenantId, propertyId: stored.propertyId };
  const view = await services.properties.view(to);
  const promotion = view.promotions.find((one) => one.id === id) ?? stored.value;
  return { promotion, today: view.businessDate, seq: view.seq, to };
}
