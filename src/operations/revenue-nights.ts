import type { Address } from '../domain/caller.ts';
import type { Day } from '../domain/dates.ts';
import type { RateNight } from '../domain/queries.ts';
import type { PropertyView } from '../ports/properties.ts';
import type { Services } from './services.ts';

/**
 * Priced nights of both days inclusive with all that revenue management knows of them: the actor's prices and sales,
 * and what competitors ask.
 */
export async function revenueNights(
  { competitors }: Pick<Services, 'competitors'>,
  to: Address,
  view: PropertyView,
  { start, end, roomType }: { start: Day; end: Day; roomType?: string },
): Promise<RateNight[]> {
  const market = await competitors.market(to, start, end);
  const medians = new Map(market.map((night) => [`${night.roomType} ${night.day}`, night.median]));
  return view
    .rateNights(start, end, roomType)
    .map((night) => ({ ...night, market: medians.get(`${night.roomType} ${night.day}`) ?? night.market }));
}
