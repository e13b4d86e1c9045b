import { YIELD_TODAY } from '../../src/testing/yield.ts';
import type { Scenario } from './demand-scenario.ts';
import { type FittedHotel, LEAD_ROWS, LONGEST_STAY } from './hotels/fitted-hotel.ts';

/** Guests of 0 to 29 days before arrival in equal parts, for one to three nights; a fifth cancels. */
const GUESTS = {
  leads: LEAD_ROWS.map((fromDays) => ({ fromDays, share: fromDays < 30 ? 0.2 : 0, cancelled: 0.2 })),
  lengths: Array.from({ length: LONGEST_STAY }, (_, n) => [0.5, 0.3, 0.2][n] ?? 0),
};

/** A hotel of 10 rooms at 100.00, 120.00 at weekends, with so many arrivals a day; a tenth of them in groups of two. */
export function smallHotel(arrivals: number): FittedHotel {
  return {
    name: 'small',
    bookings: 0,
    roomTypes: [{ roomType: 'STD', rooms: 10, share: 1, rates: [{ month: 3, weekday: 10_000, weekend: 12_000 }] }],
    arrivals: [{ month: 3, rooms: arrivals }],
    weekdays: [1, 1, 1, 1, 1, 1, 1],
    guests: GUESTS,
    groups: { ...GUESTS, share: 0.1, sizes: [{ rooms: 2, share: 1 }] },
    cancelledWithLeft: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
  };
}

/** The small hotel for the simulator, over two weeks; it is neither busy nor quiet. */
export function scenario(over: Partial<Scenario> = {}): Scenario {
  return {
    name: 'small',
    today: YIELD_TODAY,
    nights: 14,
    opens: -10,
    hotel: smallHotel(5.5),
    pressure: 1,
    market: 1,
    sensitivity: 1,
    surprise: 0,
    events: [],
    ...over,
  };
}
