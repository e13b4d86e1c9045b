import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { PropertyId } from '../../kernel/rules/ids.ts';
import type { RateCalendarQuery } from '../contracts/rates.ts';
import type { CalendarDay } from '../rules/queries.ts';

/**
 * Reads the cheapest bookable price of each day from memory (docs/reference/rates.md#calendar).
 * @throws DomainError UNKNOWN_ROOM_TYPE, UNKNOWN_RATE_CODE
 */
export async function readCalendar(
  services: Services,
  caller: Caller,
  { propertyId, startDate: start, endDate: end, ...query }: RateCalendarQuery,
): Promise<{ propertyId: PropertyId; currency: string; items: CalendarDay[]; seq: number }> {
  const view = await services.properties.view({ tenantId: caller.tenantId, propertyId });
  const { roomTypes, plans } = view.setup;
  const { roomType, rateCode } = query;
  if (roomType !== undefined && !roomTypes.some((type) => type.roomType === roomType))
    throw new DomainError('UNKNOWN_ROOM_TYPE', `The property has no room type ${roomType}.`);
  if (rateCode !== undefined && !plans.some(({ code, status }) => code === rateCode && status === 'ACTIVE'))
    throw new DomainError('UNKNOWN_RATE_CODE', `The property has no rate code ${rateCode}.`);
  return { propertyId, currency: view.currency, items: view.calendar({ start, end, ...query }), seq: view.seq };
}
