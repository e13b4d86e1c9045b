import { formatDay } from '../../kernel/rules/dates.ts';
import { demoGuest } from './guests.ts';
import type { PlannedStay } from './plan.ts';

/** What the channel calls a stay of the plan: a booking that is sent twice is one. */
export const externalIdOf = ({ n }: PlannedStay): string => `demo-${n}`;

const CARD = { paymentDetails: { method: 'CREDIT_CARD', cardToken: 'tok_visa' } };

/** Body of the request that books a stay of the plan (docs/reference/reservations.md#book). */
export function bookingOfStay(
  stay: PlannedStay,
  { propertyId, seed, companies }: { propertyId: string; seed: number; companies: readonly string[] },
): object {
  const { firstName, lastName, email, phone } = demoGuest(seed, stay.guest);
  const { arrival, departure, adults, roomType } = stay;
  const of = (rateCode: string, source: object, more: object = {}): object => ({
    propertyId,
    guestInfo: { firstName, lastName, email, phone },
    stayDetails: { checkIn: formatDay(arrival), checkOut: formatDay(departure), adults, roomType, rateCode },
    source: { ...source, externalId: externalIdOf(stay) },
    ...more,
  });
  switch (stay.way) {
    case 'COMPANY':
      return of('CORP', { channel: 'CORPORATE' }, { companyId: companies[stay.company ?? 0] });
    case 'CHANNEL':
      return of('BAR', { channel: 'OTA', collectedBy: 'CHANNEL' });
    case 'PREPAID':
      return of('BAR', { channel: 'WEBSITE' }, CARD);
    case 'NON_REFUNDABLE':
      return of('NRF', { channel: 'WEBSITE' }, CARD);
    case 'CARD':
      return of('FLEX', { channel: 'DIRECT' }, CARD);
    case 'AT_HOTEL':
      return of('HOTEL', { channel: 'PHONE' });
  }
}

/** One of so many guests has a wish after booking. */
const ASKS_OF = 14;
const WISHES = ['Late arrival, after 21:00', 'A quiet room, please', 'Feather-free pillows', 'Parking for one car'];

/** A later change of a booking, by some guests. */
export function laterChange({ n }: PlannedStay): object | undefined {
  if (n % ASKS_OF !== 0) return undefined;
  const wish = WISHES[Math.floor(n / ASKS_OF) % WISHES.length]!;
  return { modifications: { specialRequests: [wish] }, reason: 'The guest has called' };
}
