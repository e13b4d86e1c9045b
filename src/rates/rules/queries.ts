import type { Day } from '../../kernel/rules/dates.ts';
import type { Alternative, Code } from '../../kernel/rules/domain-error.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { NamedTaxLine } from '../../money/rules/taxes.ts';
import type { LiveSignal } from './live-signal.ts';
import type { PriceBasis } from './price-basis.ts';
import type { PriceStep } from './pricing.ts';
import { BAR } from './rate-plan.ts';
import type { Restriction } from './restriction.ts';
import type { Party, Stay } from './stay.ts';

/** A quote request (`GET /rates/current`, docs/reference/rates.md#quote). */
export type QuoteQuery = Omit<Stay, 'roomType'> & {
  roomType?: string;
  promoCode?: string;
  /** Adds the price steps of each night. */
  explain?: boolean;
};

export type QuotedRate = {
  roomType: string;
  rateCode: string;
  /** Promotion whose discount is in the prices. */
  promoCode?: string;
  currency: string;
  /** One entry a night: `{"date":..,"rate":..,"availability":..}`, serialized when the cell last changed. */
  dailyText: string;
  nightly: Minor[];
  total: Minor;
  average: Minor;
  /** On top of the prices. */
  taxes: Minor;
  fees: Minor;
  /** All taxes and fees by code, where the property has its own taxes. */
  taxLines?: NamedTaxLine[];
  bookable: boolean;
  /** What the prices follow from, where they depend on the stay. */
  basis?: PriceBasis;
  restrictions: StayLimits;
  cancellation: { policyName: string; deadline: Instant | null };
  /** Required guarantee; CHANNEL occurs only in single bookings. */
  guarantee: string;
  /** Per night, when requested: rules and amounts that sum to the rate. */
  steps?: PriceStep[][];
};

/** `rateType` of a quote. */
export type RateType = 'BASE' | 'PROMOTIONAL' | 'GROUP' | 'DERIVED';

/** The plan BAR is sold at the base rates; every other one is derived from them. */
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
  /** Computed before on the same state: the same object may be returned again, so that derived values can be cached. */
  repeated?: boolean;
};

/** A cell of dashboards and `/availability`. */
export type GridCell = {
  roomType: string;
  day: Day;
  total: number;
  booked: number;
  held: number;
  blocked: number;
  available: number;
  /** BAR price of the night; `null` without a rate. */
  rate: Minor | null;
};

/** Restriction of one night under one plan in one room type. */
export type NightRestriction = { rateCode: string; roomType: string; day: Day; restriction: Restriction };

/** A night of a room type under a plan, as another seller has to know it. */
export type PlanNight = {
  day: Day;
  available: number;
  /** For two persons; `null` where the plan does not sell the night. */
  rate: Minor | null;
  closed: boolean;
  /** Also while an arrival is too soon or too late to be booked. */
  closedToArrival: boolean;
  closedToDeparture: boolean;
  minStay: number;
  maxStay: number;
};

/** A night as a search over many properties needs it; `least` is by party, absent where no plan sells the night. */
export type SearchedNight = { isFree: boolean; least: readonly Minor[] | undefined };

/** Nights of a room type from `first` on, with what decides whether a party fits. */
export type SearchedNights = {
  roomType: string;
  maxAdults: number;
  maxChildren: number;
  maxGuests: number;
  first: Day;
  nights: SearchedNight[];
};

/** Query for the cheapest price of each day, both days inclusive. */
export type CalendarQuery = Party & {
  start: Day;
  end: Day;
  roomType?: string;
  rateCode?: string;
};

/** Cheapest offer of a day; without one only the day. */
export type CalendarDay = {
  day: Day;
  rate: Minor | null;
  roomType?: string;
  rateCode?: string;
  available?: number;
  restrictions?: StayLimits;
  closedToArrival?: boolean;
  closedToDeparture?: boolean;
  /** Shortest stay that includes the night at this price. */
  stay?: { checkIn: Day; checkOut: Day };
};

/** Base rate and season of a night of a room type; -1 without a base rate. */
export type BaseNight = {
  roomType: string;
  day: Day;
  base: Minor;
  /** Season multiplier in hundredths; 100 without a season. */
  multiplier: number;
  /** Season amount, added after the multiplier. */
  amount: Minor;
  /** BAR price; `null` without a rate. */
  rate: Minor | null;
};

/** A night whose rate a plan reduces to nothing: it is not sold. */
export type ZeroNight = { rateCode: string; roomType: string; day: Day };

/** A night of a room type in revenue management; only nights with a BAR rate. */
export type RateNight = {
  roomType: string;
  day: Day;
  total: number;
  /** Sellable rooms, without blocked and out-of-order ones. */
  capacity: number;
  /** Booked and held. */
  booked: number;
  /** BAR price, and its bounds. */
  rate: Minor;
  low: Minor;
  high: Minor;
  /** BAR price without the computed bid price, where the night has one. */
  beforeBid?: Minor;
  /** BAR price without what its strategy adds. */
  beforeStrategy?: Minor;
  /** Its live rates, where it has some. */
  live?: LiveSignal;
  /** Remaining demand in rooms at this price. */
  expected: number;
  /** Median price of the competitors. */
  market?: Minor;
  /** Price increment, where the currency has no cents. */
  increment?: Minor;
};
