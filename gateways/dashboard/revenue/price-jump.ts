import { locale, textsOf } from '../language/texts.ts';
import { moneyText } from '../messages.ts';

const say = textsOf('revenue');

/** From this factor on, up or down, a new price needs a second deliberate act: most such are a wrong comma. */
const MIN_JUMP_FACTOR = 2.5;

type Move = { from: number | null; to: number | null };

/** A price that is many times the old one, or a small part of it. */
export type PriceJump = {
  /** `€1,200.00 is 10 times the price of now, €120.00.` */
  text: string;
  /** Label of the box that has to be ticked: `Yes, 10 times`. */
  agree: string;
};

const oneDigit = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const twoDigits = new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 });

/**
 * The largest jump among changes of prices, in words; undefined when there is none.
 * @param moves in units of the currency
 * @param stands what is there now, such as `the price of now`
 */
export function jumpOf(
  moves: readonly Move[],
  currency: string,
  stands = say('the price of now'),
): PriceJump | undefined {
  let worst: { from: number; to: number; size: number } | undefined;
  let jumps = 0;
  for (const { from, to } of moves) {
    if (from === null || to === null || from <= 0 || to <= 0) continue;
    const size = Math.max(to / from, from / to);
    if (size < MIN_JUMP_FACTOR) continue;
    jumps += 1;
    if (!worst || size > worst.size) worst = { from, to, size };
  }
  if (!worst) return undefined;
  const { from, to } = worst;
  const [was, is] = [moneyText(from, currency), moneyText(to, currency)];
  const more = jumps === 1 ? '' : say(' {jumps} prices change as much.', { jumps });
  if (to > from) {
    const times = oneDigit.format(to / from);
    return {
      text: say('{to} is {times} times {stands}, {from}.', { to: is, times, stands, from: was }) + more,
      agree: say('Yes, {times} times', { times }),
    };
  }
  const percent = twoDigits.format((to / from) * 100);
  return {
    text: say('{to} is only {percent} % of {stands}, {from}.', { to: is, percent, stands, from: was }) + more,
    agree: say('Yes, {percent} % of it', { percent }),
  };
}
