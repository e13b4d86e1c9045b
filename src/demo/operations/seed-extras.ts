import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { Extra } from '../../money/rules/extra.ts';

const extra = (code: string, name: string, price: number): Extra => ({
  code,
  name,
  price,
  // Those of the property.
  taxPercent: 0,
  active: true,
});

/** What the desk of a demo property posts every day. */
export const DEMO_EXTRAS: readonly Extra[] = [
  extra('MINIBAR', 'Minibar', 450),
  extra('BREAKFAST', 'Breakfast', 1_800),
  extra('PARKING', 'Parking, one night', 1_500),
  extra('LATE_CHECK_OUT', 'Late check-out', 3_000),
];

/** Gives a demo property a small price list where it has none. */
export async function seedExtras(
  { extras, properties }: Pick<Services, 'extras' | 'properties'>,
  caller: Caller,
  to: Address,
): Promise<void> {
  if ((await extras.list(to)).length > 0) return;
  const { currency } = await properties.view(to);
  for (const one of DEMO_EXTRAS) await extras.put(caller, to.propertyId, { extra: one, currency });
}
