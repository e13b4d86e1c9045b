import type { Services } from '../../kernel/operations/services.ts';
import type { PropertyView } from '../../kernel/property-actors.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { PropertyId } from '../../kernel/rules/ids.ts';
import type { BaseRatesQuery } from '../contracts/rates.ts';
import type { BaseNight } from '../rules/queries.ts';

type BaseRates = { propertyId: PropertyId; currency: string; items: BaseNight[]; seq: number };

/**
 * Reads base rates and seasons as they are set (docs/reference/rates.md#base-rates): the state that has them, and how
 * to read them there.
 * @throws DomainError UNKNOWN_ROOM_TYPE
 */
export async function readBaseRates(
  services: Services,
  caller: Caller,
  { propertyId, startDate, endDate, roomType }: BaseRatesQuery,
): Promise<{ state: PropertyView; seq: number; read: () => BaseRates }> {
  const state = await services.properties.view({ tenantId: caller.tenantId, propertyId });
  if (roomType !== undefined && !state.setup.roomTypes.some((type) => type.roomType === roomType))
    throw new DomainError('UNKNOWN_ROOM_TYPE', `The property has no room type ${roomType}.`);
  const { currency, seq } = state;
  const read = (): BaseRates => ({
    propertyId,
    currency,
    items: state.baseNights(startDate, endDate, roomType),
    seq,
  });
  return { state, seq, read };
}
