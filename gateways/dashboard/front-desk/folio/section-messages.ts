import { shortTime } from '../../grid/days.ts';
import { locale, textsOf } from '../../language/texts.ts';

const say = textsOf('front-desk-folio');

/** What can be done with the money of a stay, by the names of its buttons. */
export const moneyLevels = {
  pay: say('Take payment'),
  charge: say('Post charge'),
  folio: say('Folio'),
  split: say('Split the bill with a company'),
  refund: say('Refund'),
  invoice: say('Print invoice'),
} as const;
export type MoneyLevel = keyof typeof moneyLevels;

export const moneyWords = {
  title: say('Bill'),
  loading: say('Loading…'),
  unreachable: say('This part of the page could not be loaded. Check the connection and try again.'),
  onlyManagers: say('Only a manager gives money back. Ask one to sign in.'),
  nothingPaid: say('Nothing is paid yet, so nothing can go back.'),
};

/**
 * `Held until 18:20`: a stay that is not confirmed is never said to be booked.
 * @param zone of the property, which is named where the reader's is another one
 */
export function holdText(holdExpiresAt: string, zone?: string): string {
  return say('Held until {holdExpiresAt}', { holdExpiresAt: shortTime(Date.parse(holdExpiresAt), zone) });
}

/** The same with what is left of the time. */
export function countdownText(holdExpiresAt: string, now: number, zone?: string): string {
  const minutes = Math.ceil((Date.parse(holdExpiresAt) - now) / 60_000);
  if (minutes <= 0) return say('The hold has run out');
  const left = minutes < 120 ? say(' ({minutes} min left)', { minutes }) : '';
  return holdText(holdExpiresAt, zone) + left;
}

/** `€`, `CHF`. */
export function currencySign(currency: string): string {
  const parts = new Intl.NumberFormat(locale, { style: 'currency', currency }).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}
