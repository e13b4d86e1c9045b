import { pageOf } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { Property } from '../../properties/rules/property.ts';
import type { RatePlansQuery } from '../contracts/rate-plans.ts';
import type { RatePlan } from '../rules/rate-plan.ts';

/** A plan with its property, which has its currency and the defaults of its terms. */
export type PlanOfProperty = { property: Property; plan: RatePlan };

/** Lists rate plans of a property, newest first. */
export async function listRatePlans(
  services: Services,
  caller: Caller,
  query: RatePlansQuery,
): Promise<{ items: PlanOfProperty[]; nextCursor?: string; seq: number }> {
  const { propertyId } = query;
  const view = await services.properties.view({ tenantId: caller.tenantId, propertyId });
  // Ids grow with time, so they give the order.
  const plans = view.setup.plans.map((plan) => ({ plan, createdAt: 0 }));
  const { items, ...page } = pageOf(services.signed, plans, ({ plan }) => plan.id, query);
  return { ...page, items: items.map(({ plan }) => ({ property: view.setup.property, plan })), seq: view.seq };
}

/** @throws DomainError RATE_PLAN_NOT_FOUND */
export async function getRatePlan(
  services: Services,
  { tenantId }: Caller,
  id: string,
): Promise<PlanOfProperty & { seq: number; to: Address }> {
  const propertyId = await services.sales.propertyOfPlan(tenantId, id);
  const to = { tenantId, propertyId: propertyId ?? '' };
  const view = propertyId === undefined ? undefined : await services.properties.view(to);
  const plan = view?.setup.plans.find((one) => one.id === id);
  if (!view || !plan) throw new DomainError('RATE_PLAN_NOT_FOUND', 'The tenant has no such rate plan.');
  return { property: view.setup.property, plan, seq: view.seq, to };
}
