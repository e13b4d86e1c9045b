import type { Services } from '../../kernel/operations/services.ts';
import type { PropertyView } from '../../kernel/property-actors.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { PropertyId } from '../../kernel/rules/ids.ts';
import type { RateCalendarQuery } from '../contracts/rates.ts';
import type { CalendarDay } from '../rules/queries.ts';

type Calendar = { propertyId: PropertyId; currency: string; items: CalendarDay[]; seq: number };

/**
 * Reads the cheapest bookable price of each day from memory (docs/reference/rates.md#calendar): the state that has
 * them, and how to read them there.
 * @throws DomainError UNKNOWN_ROOM_TYPE, UNKNOWN_RATE_CODE
 */
export async function readCalendar(
  services: Services,
  caller: Caller,
  { propertyId, startDate: start, endDate: end, ...query }: RateCalendarQuery,
): Promise<{ state: PropertyView; seq: number; read: () => Calendar }> {
  const state = await services.properties.view({ tenantId: caller.tenantId, propertyId });
  const { roomTypes, plans } = state.setup;
  const { roomType, rateCode } = query;
  if (roomType !== undefined && !roomTypes.some((type) => type.roomType === roomType))
    throw new DomainError('UNKNOWN_ROOM_TYPE', `The property has no room type ${roomType}.`);
  if (rateCode !== undefined && !plans.some(({ code, status }) => code === rateCode && status === 'ACTIVE'))
    throw new DomainError('UNKNOWN_RATE_CODE', `The property has no rate code ${rateCode}.`);
  const { currency, seq } = state;
  return { state, seq, read: () => ({ propertyId, currency, items: state.calendar({ start, end, ...query }), seq }) };
}
