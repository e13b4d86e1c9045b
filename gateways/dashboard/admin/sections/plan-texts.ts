import { textsOf } from '../../language/texts.ts';
import { moneyText } from '../../messages.ts';
import type { PlanView } from '../../revenue/night/terms-api.ts';
import { numberText } from './texts.ts';

const say = textsOf('admin-selling');

type Penalty = PlanView['terms']['noShow'];

/** Instead of a price: the plan has no other one. */
export const ofBaseRates = say('base rates');

/** How the price of a plan comes about: its own, or that of another plan with a difference. */
export function planPriceText({
  parentCode,
  adjustmentPercent,
  adjustmentAmount,
  baseRate,
  currency,
}: PlanView): string {
  const from = parentCode ?? (baseRate === null ? ofBaseRates : moneyText(baseRate, currency));
  const percent = adjustmentPercent === 0 ? '' : ` ${signed(adjustmentPercent)} %`;
  const amount = Number(adjustmentAmount) === 0 ? '' : ` ${signed(Number(adjustmentAmount))} ${currency}`;
  return `${from}${percent}${amount}`;
}

const signed = (value: number): string => (value < 0 ? `−${numberText(-value)}` : `+${numberText(value)}`);

/** How a booking of a plan is guaranteed, in a sentence. */
export function planGuaranteeText({ guarantee, depositSchedule, releaseHour }: PlanView): string {
  switch (guarantee) {
    case 'PREPAY':
      return depositSchedule
        ? say('Paid before the stay: {parts}.', { parts: depositSchedule.map(instalmentText).join(', ') })
        : say('Paid with the booking.');
    case 'CARD':
      return say('A card is kept, and charged when something is owed.');
    case 'NONE':
      return releaseHour === null
        ? say('Paid at the hotel; the room is kept.')
        : say('Paid at the hotel; the room is sold again from {releaseHour} on the arrival day.', { releaseHour });
    case 'COMPANY':
      return say('Invoiced to a company.');
    case 'CHANNEL':
      return say('Owed by the channel.');
  }
}

function instalmentText({ percent, due }: NonNullable<PlanView['depositSchedule']>[number]): string {
  return 'at' in due
    ? say('{percent} % with the booking', { percent: numberText(percent) })
    : say('{percent} % {days, plural, one {# day} other {# days}} before arrival', {
        percent: numberText(percent),
        days: due.daysBefore,
      });
}

/** The terms of a plan, in sentences. */
export function planTermsText({ terms, currency }: Pick<PlanView, 'terms' | 'currency'>): string {
  const { freeUntilHours, penalty } = terms.cancellation;
  const late = penaltyText(penalty);
  const cancel =
    freeUntilHours === null
      ? say('Cancelling always costs {late}.', { late })
      : penalty.kind === 'NONE'
        ? say('Cancelling is free of charge.')
        : say(
            'Cancelling is free until {hours, plural, one {# hour} other {# hours}} before check-in, then costs {late}.',
            { hours: freeUntilHours, late },
          );
  const change = {
    FREE: say('Changes are free.'),
    FEE: say('A change costs {fee}.', { fee: moneyText(terms.changeFee ?? 0, currency) }),
    NOT_ALLOWED: say('Dates cannot be changed.'),
  }[terms.change];
  return `${cancel} ${say('A no-show costs {penalty}.', { penalty: penaltyText(terms.noShow) })} ${change}`;
}

function penaltyText({ kind, value }: Penalty): string {
  if (kind === 'NONE') return say('nothing');
  if (kind === 'PERCENT')
    return value === 100 ? say('the whole stay') : say('{value} % of the stay', { value: numberText(value) });
  return say('{value, plural, one {the first night} other {the first # nights}}', { value });
}
