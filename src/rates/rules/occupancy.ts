import type { Minor } from '../../kernel/rules/money.ts';
import { type AgeBand, bandOf } from '../../properties/rules/age-band.ts';
import type { Party } from './stay.ts';

/**
 * What the guests of a room add to its price, for one room type or for all others
 * (docs/reference/rates.md#prices-by-guests).
 */
export type OccupancyPrice = {
  roomType?: string;
  /** Guests in the price of the room: adults first, then the oldest children. */
  included: number;
  /** Amount for each further adult. */
  extraAdult: Minor;
  /** Amount for a guest who is alone; less than 0 is a reduction. */
  single?: Minor;
  /** Amount for each further child by its age band; a band without an amount is free of charge. */
  bands: Record<string, Minor>;
};

/** Guests as a price counts them: adults, and the age bands of the children, the oldest child first. */
export type PricedParty = { adults: number; bands: readonly string[] };

/**
 * The guests of a stay by their ages. A child pays as an adult when its age is not known, or when it is older than all
 * bands.
 */
export function pricedParty({ adults, children, childAges = [] }: Party, ageBands: readonly AgeBand[]): PricedParty {
  const ages = childAges.toSorted((a, b) => b - a);
  const bands = ages.map((age) => bandOf(age, ageBands)).filter((code) => code !== undefined);
  return { adults: adults + children - bands.length, bands };
}

/** A party of adults alone. */
export const adultsOnly = (adults: number): PricedParty => ({ adults, bands: [] });

/** The occupancy price of a room type; `undefined` where the plan has none for it. */
export function occupancyPriceOf(
  all: readonly OccupancyPrice[],
  wanted: string | undefined,
): OccupancyPrice | undefined {
  return all.find(({ roomType }) => roomType === wanted) ?? all.find(({ roomType }) => roomType === undefined);
}

/** Amount that a party adds to the price of a night. */
export function occupancyAmount(
  { included, extraAdult, single = 0, bands: amounts }: OccupancyPrice,
  { adults, bands }: PricedParty,
): Minor {
  if (adults + bands.length === 1) return single;
  const places = Math.max(0, included - adults);
  // Codes are free text, and `constructor` is one.
  const children = bands.slice(places).map((code) => (Object.hasOwn(amounts, code) ? amounts[code]! : 0));
  return children.reduce((all, amount) => all + amount, extraAdult * Math.max(0, adults - included));
}
