import { adultsOnly, type PricedParty } from '../../../rates/rules/occupancy.ts';
import type { Party } from '../../../rates/rules/stay.ts';

/** The band of a child that nobody charges for: no property has it. */
const FREE_CHILD = '';

/**
 * Parties by what they may cost at least, one for each class: one, two, three, or at least four adults, and a party
 * with children, the cheapest of which is an adult with a child that is free. What further guests add is never less
 * than 0 (docs/reference/rates.md#prices-by-guests).
 */
export const LEAST_PARTIES: readonly PricedParty[] = [
  ...[1, 2, 3, 4].map((adults) => adultsOnly(adults)),
  { adults: 1, bands: [FREE_CHILD] },
];
export const PARTY_CLASSES: number = LEAST_PARTIES.length;

/** Two adults: most plans have one price for all parties, which stands here. */
export const USUAL_CLASS = 1;
const FAMILY_CLASS = 4;

/** The class of a party. */
export function partyClassOf({ adults, children }: Party): number {
  return children > 0 ? FAMILY_CLASS : Math.min(adults, FAMILY_CLASS) - 1;
}
