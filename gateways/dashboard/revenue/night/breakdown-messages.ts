import { textsOf } from '../../language/texts.ts';
import { moneyText, signedPercent } from '../../messages.ts';

const say = textsOf('revenue-night');

/** Words of the lines of a price breakdown that can be edited. */
export const breakdown = {
  editOne: { base: say('Edit base rate'), season: say('Edit season') },
  base: (currency: string): string => say('Base rate, {currency}', { currency }),
  season: say('Season, %'),
  now: say('what is set now'),
  save: say('Save'),
  cancel: say('Cancel'),
  noPercent: say('Write a whole percentage such as 10 or -7; 0 for no season.'),
  noBase: say('Nothing is known of the base rate. Set a rate first.'),
  failed: say('Could not be loaded. Close and edit again.'),
};

/** What saving would do to the price of the night. */
export function priceMoveText(from: number | null, to: number | null, currency: string): string {
  const text = (amount: number | null): string => (amount === null ? say('no rate') : moneyText(amount, currency));
  const percent =
    from === null || to === null || from === 0 ? '' : ` (${signedPercent(Math.round(((to - from) / from) * 100))})`;
  return say('The night: {from} → {to}{percent}', { from: text(from), to: text(to), percent });
}
