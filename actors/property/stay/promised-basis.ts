import type { Minor } from '../../../src/kernel/rules/money.ts';
import type { PriceBasis } from '../../../src/rates/rules/price-basis.ts';
import { daysOf, type Stay } from '../../../src/rates/rules/stay.ts';
import type { Draft } from '../draft.ts';
import { cellOf, type Pricing } from '../rates/plans.ts';

/** Everything that the current prices of a stay follow from, so that they hold for any guests. */
export function basisOfNow(draft: Draft, stay: Stay, { lineage }: Pricing, lists: readonly Minor[]): PriceBasis {
  const { currency } = draft.property!.metadata;
  const slab = draft.slab(stay.roomType)!;
  return {
    lineage,
    ...ageBandsOf(draft, lineage),
    nights: daysOf(stay).map((day, index) => {
      return { day, bookedOn: draft.today, list: lists[index]!, cell: cellOf(slab, day, currency) };
    }),
  };
}

/** The age bands of the property, where a plan (`lineage`: itself first) prices by them. */
export function ageBandsOf(
  { property }: Pick<Draft, 'property'>,
  lineage: Pricing['lineage'],
): Pick<PriceBasis, 'ageBands'> {
  return lineage.at(-1)!.occupancyPricing ? { ageBands: property!.metadata.policies.ageBands } : {};
}
