import type { CommandOf } from '../../kernel/rules/commands.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { Night } from '../../money/rules/night.ts';
import type { Tax } from '../../properties/rules/tax.ts';
import type { Stay } from '../../rates/rules/stay.ts';
import { halfEven } from './life-sums.ts';

/** Constants of the model's property. */
export const HOUR = 3_600_000;

/** The property of `property-world.ts` is two hours ahead of UTC: 15:00 there, 11:00, and 03:00 at which its day rolls. */
export const ARRIVAL = 13 * HOUR;
export const DEPARTURE = 9 * HOUR;
export const ROLL = HOUR;
/** 18:00 there: the end of day use. */
export const DAY_END = 16 * HOUR;

/**
 * Percentage on top of the base rate, and end of free cancellation in hours before arrival: none, or the property's.
 * Guarantee, when it is not prepayment, and what guests add to the base rate.
 */
export const PLANS: Record<string, LifePlan> = {
  BAR: { percent: 0 },
  FLEX: { percent: 10, hours: 24 },
  NRF: { percent: -10, hours: null },
  OWN: { percent: 5 },
  CARD: { percent: 0, by: 'CARD' },
  // Who is left alone would pay more than two.
  DESK: { percent: 0, by: 'NONE', guests: { alone: 3_000, adult: 2_500, child: 1_100, childTo: 11 } },
  CORP: { percent: 0, by: 'COMPANY' },
};

type LifePlan = {
  percent: number;
  hours?: number | null;
  by?: 'CARD' | 'NONE' | 'COMPANY';
  guests?: { alone: number; adult: number; child: number; childTo: number };
};

/** What the guests of a stay add to the base rate, of which one is in it. */
export function ofGuests({ rateCode, adults, children, childAges = [] }: Stay): number {
  const { guests } = PLANS[rateCode]!;
  if (!guests) return 0;
  if (adults === 1 && children === 0) return guests.alone;
  const young = childAges.filter((age) => age <= guests.childTo).length;
  return guests.adult * (adults + children - young - 1) + guests.child * young;
}

/** Policies of the property that are charged with a night. */
export type LifeCharges = { taxPercent: number; feePerNight: number; feePerPersonNight: number };

/** What a booking is priced by: base rate of its room type, tax and fees, of now or when its price was promised. */
export type LifePromise = { base: number; charging: LifeCharges };

/** With ids of the payment that is awaited, or was charged. */
export type LifeBooking = Pick<CommandOf<'BOOK'>, 'booking'> & {
  awaited?: string;
  charged?: string;
  promised: LifePromise;
};

/** What OWN asks for day use in each room type. */
export const DAY_USE: Record<string, number> = { STD: 4_000, DLX: 6_500 };

/** Of all plans. */
export const MAX_LIFE_NIGHTS = 30;

/** Rooms of each type. */
export const ROOMS: Record<string, number> = { STD: 3, DLX: 2 };

/** A charge in the model's own account; `closed`: its outcome no longer matters. */
export type Entry = {
  id: string;
  amount: number;
  card: boolean;
  state: 'awaited' | 'closed' | 'open' | 'lost' | 'captured';
  back: number;
  /** When it began. */
  at?: number;
  cash?: boolean;
  /** An account has taken it over. */
  account?: boolean;
};

export type Leaving = { by: string; checkOut: Day; extra: number[]; retained: number[]; ofStay: number };

/** Charge made by the actor itself: its id is determined afterwards. */
export const NEW_CHARGE = '?';

/** A night with the taxes of the property, by its index in the stay. */
export function withTaxes(
  all: readonly Tax[],
  { checkIn, adults, children, childAges = [] }: Stay,
  night: Night,
): Night {
  const price = night.rate;
  let { rate, taxes, fees } = night;
  for (const { kind, value, included, minAge, maxNights = 99 } of all) {
    const place = night.day - checkIn;
    if (place >= maxNights) continue;
    const hundredth = Math.round(value * 100);
    if (kind === 'PER_STAY') fees += place === 0 ? value : 0;
    else if (kind === 'PER_NIGHT') fees += value;
    else if (kind === 'PER_PERSON_NIGHT')
      fees += value * (adults + (minAge ? childAges.filter((age) => age >= minAge).length : children));
    else if (included) {
      rate = halfEven(price * 10_000, 10_000 + hundredth);
      taxes += price - rate;
    } else taxes += halfEven(price * hundredth, 10_000);
  }
  return { day: night.day, rate, taxes, fees };
}
