import { dayRange, mediumDay } from '../../grid/days.ts';
import { textsOf } from '../../language/texts.ts';
import { moneyText } from '../../messages.ts';
import type { PlanView, PromotionView, WantedPromotion } from './terms-api.ts';

const say = textsOf('revenue-night');

/** Words of promotions, bounds and the price breakdown in the panel of a night. */
export const terms = {
  promotions: say('Promotions'),
  noPromotions: say('No promotion applies to this night.'),
  failed: say('Could not be loaded. Choose the night again.'),
  add: say('New promotion'),
  pause: say('Pause'),
  resume: say('Resume'),
  pauseOne: (name: string): string => say('Pause {name}', { name }),
  resumeOne: (name: string): string => say('Resume {name}', { name }),
  paused: (name: string): string => say('{name} is paused. Existing bookings keep it.', { name }),
  resumed: (name: string): string => say('{name} is on sale.', { name }),
  name: say('Name'),
  percent: say('Discount, %'),
  code: say('Code, chosen for you when empty'),
  until: say('Booked until'),
  save: say('Save promotion'),
  cancel: say('Cancel'),
  noName: say('Write a name, such as Early booking.'),
  noPercent: say('Write a discount from 1 to 100, such as 15.'),
  noUntil: say('Choose the last day on which it can be booked, today or later.'),
  created: (name: string, code: string): string => say('{name} is on sale with the code {code}.', { name, code }),
  bounds: say('Bounds'),
  editBounds: say('Edit bounds'),
  least: (currency: string): string => say('Lowest rate, {currency}', { currency }),
  most: (currency: string): string => say('Highest rate, {currency}', { currency }),
  saveBounds: say('Save bounds'),
  boundOfNow: say('the bound of now'),
  baseOfNow: say('the base rate'),
  reversedBounds: say('The highest rate is below the lowest.'),
  boundsSaved: (text: string): string => say('Bounds are set. {text}', { text }),
};

const STATUS: Record<PromotionView['status'], string> = {
  ACTIVE: say('on sale'),
  PAUSED: say('paused'),
  EXPIRED: say('over'),
  EXHAUSTED: say('used up'),
};

type Discount = PromotionView['discount'];

function discountText({ type, value }: Discount, currency: string): string {
  if (type === 'PERCENTAGE') return say('{value} % off', { value });
  if (type === 'FIXED_AMOUNT') return say('{value} off a stay', { value: moneyText(value, currency) });
  return say('{value, plural, one {# night free} other {# nights free}}', { value });
}

/** What a promotion takes off, with which code, and whether it is on sale. */
export function promotionText({ discount, promoCode, status }: PromotionView, currency: string): string {
  return say('{discount} with {promoCode}, {status}', {
    discount: discountText(discount, currency),
    promoCode,
    status: STATUS[status],
  });
}

type Period = { startDate: string; endDate: string };
const days = ({ startDate, endDate }: Period): string =>
  startDate === endDate ? mediumDay(startDate) : dayRange(startDate, endDate);

/** What a new promotion would do, in one line. */
export function promotionPreview({ promotionName, discount, roomTypes, validity }: WantedPromotion): string {
  const types = roomTypes ? roomTypes.join(', ') : say('all room types');
  return say(
    '{promotionName}: {value} % off {types}, stays within {stayPeriod}, booked with its code until {endDate}.',
    {
      promotionName: promotionName.trim(),
      value: discount.value,
      types,
      stayPeriod: days(validity.stayPeriod),
      endDate: mediumDay(validity.endDate),
    },
  );
}

type Bounds = Pick<PlanView, 'code' | 'minRate' | 'maxRate' | 'minRatePercent' | 'maxRatePercent'>;

/** Bounds of a plan, such as `BAR: 60 % to 200 % of the base rate, at least €80.00`. */
export function boundsText(
  { code, minRate, maxRate, minRatePercent, maxRatePercent }: Bounds,
  currency: string,
): string {
  const least = minRate === null ? '' : say(', at least {minRate}', { minRate: moneyText(minRate, currency) });
  const most = maxRate === null ? '' : say(', at most {maxRate}', { maxRate: moneyText(maxRate, currency) });
  return say('{code}: {minRatePercent} % to {maxRatePercent} % of the base rate{least}{most}', {
    code,
    minRatePercent,
    maxRatePercent,
    least,
    most,
  });
}
