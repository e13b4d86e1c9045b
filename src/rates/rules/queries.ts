import type { Day } from '../../kernel/rules/dates.ts';
import type { Alternative, Code } from '../../kernel/rules/domain-error.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { NamedTaxLine } from '../../money/rules/taxes.ts';
import type { Property, Room, RoomType } from '../../properties/rules/property.ts';
import type { PriceStep } from './pricing.ts';
import { BAR, type RatePlan } from './rate-plan.ts';
import type { Restriction } from './restriction.ts';
import type { Stay } from './stay.ts';

/** A quote request (`GET /rates/current`, docs/reference/rates.md#quote). */
export type QuoteQuery = Omit<Stay, 'roomType'> & {
  roomType?: string;
  promoCode?: string;
  /** Whether the steps of each night's price are wanted. */
  explain?: boolean;
};

export type QuotedRate = {
  roomType: string;
  rateCode: string;
  /** The promotion whose discount is in the prices. */
  promoCode?: string;
  currency: string;
  /** One entry a night: `{"date":..,"rate":..,"availability":..}`, text built when the cell last changed. */
  dailyText: string;
  nightly: Minor[];
  total: Minor;
  average: Minor;
  /** On top of the prices. */
  taxes: Minor;
  fees: Minor;
  /** All taxes and fees by their codes, where the property has taxes of its own. */
  taxLines?: NamedTaxLine[];
  bookable: boolean;
  restrictions: StayLimits;
  cancellation: { policyName: string; deadline: number | null };
  /** What a booking needs; CHANNEL is of single bookings. */
  guarantee: string;
  /** Per night, when requested: rules and amounts that sum to the rate. */
  steps?: PriceStep[][];
};

/** `rateType` of a quote. */
export type RateType = 'BASE' | 'PROMOTIONAL' | 'GROUP' | 'DERIVED';

/** The plan BAR is sold at the base rates themselves; every other one is derived from them. */
export function rateTypeOf({ rateCode, promoCode }: { rateCode: string; promoCode?: string }): RateType {
  if (promoCode !== undefined) return 'PROMOTIONAL';
  return rateCode === BAR ? 'BASE' : 'DERIVED';
}

export type StayLimits = { minimumStay: number; maximumStay: number; advanceBooking: number };

export type Quote = {
  rates: QuotedRate[];
  unavailable: { roomType: string; code: Code; date: string; detail: string }[];
  restrictions: StayLimits;
  alternatives?: Alternative[];
  /**
   * Computed before on the same state, so the same object may be returned again: what is derived from it can be
   * cached.
   */
  repeated?: boolean;
};

/** A cell as dashboards and `/availability` show it. */
export type GridCell = {
  roomType: string;
  day: Day;
  total: number;
  booked: number;
  held: number;
  blocked: number;
  available: number;
  /** BAR price of the night; null without a rate. */
  rate: Minor | null;
};

/** Set-up of a property as its actor holds it. */
export type PropertySetup = { property: Property; roomTypes: RoomType[]; rooms: Room[]; plans: RatePlan[] };

/** What limits one night under one plan in one room type. */
export type NightRestriction = { rateCode: string; roomType: string; day: Day; restriction: Restriction };

/** A question for the cheapest price of each day, both days inclusive. */
export type CalendarQuery = {
  start: Day;
  end: Day;
  adults: number;
  children: number;
  roomType?: string;
  rateCode?: string;
};

/** The cheapest offer of a day; without one only the day, and no rate. */
export type CalendarDay = {
  day: Day;
  rate: Minor | null;
  roomType?: string;
  rateCode?: string;
  available?: number;
  restrictions?: StayLimits;
  closedToArrival?: boolean;
  closedToDeparture?: boolean;
  /** The shortest stay that has the night at this price. */
  stay?: { checkIn: Day; checkOut: Day };
};

/** What is set for a night of a room type; -1 where nobody has set a base rate. */
export type BaseNight = {
  roomType: string;
  day: Day;
  base: Minor;
  /** Of its season, in hundredths; 100 without one. */
  multiplier: number;
  /** Of its season, added after the multiplier. */
  amount: Minor;
  /** Price under BAR; null without a rate. */
  rate: Minor | null;
};

/** A night that has a rate of which a plan leaves nothing: it is not sold. */
export type ZeroNight = { rateCode: string; roomType: string; day: Day };

/** A night of a room type as revenue management looks at it; only nights that have a rate under BAR. */
export type RateNight = {
  roomType: string;
  day: Day;
  total: number;
  /** Rooms that can be sold at all: those blocked or out of order taken off. */
  capacity: number;
  /** Booked and held. */
  booked: number;
  /** Price under BAR, and its bounds. */
  rate: Minor;
  low: Minor;
  high: Minor;
  /** Remaining demand in rooms at this price. */
  expected: number;
  /** Median price of the competitors. */
  market?: Minor;
  /** What prices are multiples of, where the currency has no cents. */
  increment?: Minor;
};
