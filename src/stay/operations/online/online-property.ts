import type { Services } from '../../../kernel/operations/services.ts';
import type { PropertyView } from '../../../kernel/property-actors.ts';
import type { Address } from '../../../kernel/rules/caller.ts';
import { DomainError } from '../../../kernel/rules/domain-error.ts';
import type { BookingPage } from '../../../properties/rules/property.ts';
import type { RatePlan } from '../../../rates/rules/rate-plan.ts';

/** A property that guests book by themselves, and the plans that it sells to them. */
export type OnlineProperty = { view: PropertyView; page: BookingPage; plans: RatePlan[] };

/**
 * Reads a property with its booking page (docs/guide/booking-page.md#settings).
 * @throws DomainError PROPERTY_NOT_FOUND, also while the page is off
 */
export async function onlineProperty(
  { properties }: Pick<Services, 'properties'>,
  to: Address,
): Promise<OnlineProperty> {
  const view = await properties.view(to);
  const { bookingPage: page } = view.setup.property.metadata;
  if (!page?.enabled) throw new DomainError('PROPERTY_NOT_FOUND', 'The property has no booking page.');
  return { view, page, plans: view.setup.plans.filter((plan) => isSold(plan, page)) };
}

/** Whether guests may book a plan: one that invoices a company is never offered to them. */
function isSold({ code, status, guarantee }: RatePlan, { ratePlans }: BookingPage): boolean {
  if (status !== 'ACTIVE' || guarantee === 'COMPANY') return false;
  return ratePlans === undefined || ratePlans.includes(code);
}
