import type { PromotionsQuery } from '../contracts/promotions.ts';
import type { Address, Caller } from '../domain/caller.ts';
import type { Day } from '../domain/dates.ts';
import type { Promotion } from '../domain/promotion.ts';
import { Refusal } from '../domain/refusal.ts';
import { pageOf } from './cursor.ts';
import type { Services } from './services.ts';

/** Promotions of a property, newest first. */
export async function listPromotions(
  services: Services,
  caller: Caller,
  query: PromotionsQuery,
): Promise<{ items: Promotion[]; nextCursor?: string; today: Day; seq: number }> {
  const view = await services.properties.view({ tenantId: caller.tenantId, propertyId: query.propertyId });
  const page = pageOf(services.signed, view.promotions, ({ id }) => id, query);
  return { ...page, today: view.businessDate, seq: view.seq };
}

/** @throws Refusal PROMOTION_NOT_FOUND */
export async function getPromotion(
  services: Services,
  caller: Caller,
  id: string,
): Promise<{ promotion: Promotion; today: Day; seq: number; to: Address }> {
  const { tenantId } = caller;
  const propertyId = await services.homes.promotion(tenantId, id);
  const to = { tenantId, propertyId: propertyId ?? '' };
  const view = propertyId === undefined ? undefined : await services.properties.view(to);
  const promotion = view?.promotions.find((one) => one.id === id);
  if (!view || !promotion) throw new Refusal('PROMOTION_NOT_FOUND', 'The tenant has no such promotion.');
  return { promotion, today: view.businessDate, seq: view.seq, to };
}
