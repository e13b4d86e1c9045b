import type { Services } from '../../../kernel/operations/services.ts';
import type { Address } from '../../../kernel/rules/caller.ts';
import type { Day } from '../../../kernel/rules/dates.ts';
import type { Minor } from '../../../kernel/rules/money.ts';
import { type Party, stayKey } from '../../../rates/rules/stay.ts';
import { type OnlineProperty, onlineProperty } from './online-property.ts';

/** The least that a stay costs with all taxes and fees when it begins on a day; `null` where it cannot be booked. */
export type CheapestArrival = { checkIn: Day; total: Minor | null };

type Wanted = { first: Day; last: Day; nights: number; parties: readonly Party[] };

/**
 * The lowest price of a stay for each arrival day, both days inclusive. Promotions are left out: their codes are for
 * who searches with them.
 * @throws DomainError PROPERTY_NOT_FOUND while the booking page is off
 */
export async function cheapestArrivals(
  services: Services,
  to: Address,
  { first, last, nights, parties }: Wanted,
): Promise<{ online: OnlineProperty; arrivals: CheapestArrival[] }> {
  const online = await onlineProperty(services, to);
  const { businessDate, lastNight } = online.view;
  const now = services.clock.now();
  const arrivals: CheapestArrival[] = [];
  for (let checkIn = first; checkIn <= last; checkIn++) {
    const isInWindow = checkIn >= businessDate && checkIn + nights - 1 <= lastNight;
    const days = { checkIn, checkOut: checkIn + nights };
    arrivals.push({ checkIn, total: isInWindow ? totalOf(online, days, parties, now) : null });
  }
  return { online, arrivals };
}

function totalOf(
  online: OnlineProperty,
  days: { checkIn: Day; checkOut: Day },
  parties: readonly Party[],
  now: number,
): Minor | null {
  // Rooms of equal parties have one price.
  const known = new Map<string, Minor | null>();
  let total: Minor = 0;
  for (const party of parties) {
    const key = stayKey({ ...days, ...party });
    let cheapest = known.get(key);
    if (cheapest === undefined) known.set(key, (cheapest = cheapestOf(online, { ...days, ...party }, now)));
    if (cheapest === null) return null;
    total += cheapest;
  }
  return total;
}

function cheapestOf(
  { view, plans }: OnlineProperty,
  stay: Party & { checkIn: Day; checkOut: Day },
  now: number,
): Minor | null {
  let cheapest: Minor | null = null;
  for (const { code } of plans)
    for (const { bookable, total, taxes, fees } of view.quote({ ...stay, rateCode: code }, now).rates)
      if (bookable && (cheapest === null || total + taxes + fees < cheapest)) cheapest = total + taxes + fees;
  return cheapest;
}
