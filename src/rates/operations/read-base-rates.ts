import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { PropertyId } from '../../kernel/rules/ids.ts';
import type { BaseRatesQuery } from '../contracts/rates.ts';
import type { BaseNight } from '../rules/queries.ts';

/**
 * Reads base rates and seasons as they are set (docs/reference/rates.md#base-rates).
 * @throws DomainError UNKNOWN_ROOM_TYPE
 */
export async function readBaseRates(
  services: Services,
  caller: Caller,
  { propertyId, startDate, endDate, roomType }: BaseRatesQuery,
): Promise<{ propertyId: PropertyId; currency: string; items: BaseNight[]; seq: number }> {
  const view = await services.properties.view({ tenantId: caller.tenantId, propertyId });
  if (roomType !== undefined && !view.setup.roomTypes.some((type) => type.roomType === roomType))
    throw new DomainError('UNKNOWN_ROOM_TYPE', `The property has no room type ${roomType}.`);
  const items = view.baseNights(startDate, endDate, roomType);
  return { propertyId, currency: view.currency, items, seq: view.seq };
}
