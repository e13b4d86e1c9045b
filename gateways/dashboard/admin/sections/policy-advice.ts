import { textsOf } from '../../language/texts.ts';
import { amountsIn, isYes } from '../form/fields.ts';
import type { Policy } from './policies.ts';
import { typedNumber } from './texts.ts';

const say = textsOf('admin-property');

const percentPolicy = (name: string, label: string, max: number, says: (percent: string) => string): Policy => {
  return { name, label, type: 'decimal', min: 0, max, says: (value) => says(typedNumber(value)) };
};

/** What recommended rates keep to (docs/reference/rates.md#optimization). */
export const adviceSettings: readonly Policy[] = [
  percentPolicy('maxRateIncrease', say('Rise of recommended rates'), 1_000, (percent) =>
    say('Recommendations raise a rate by at most {percent} % a day.', { percent }),
  ),
  percentPolicy('maxRateDecrease', say('Fall of recommended rates'), 100, (percent) =>
    say('Recommendations lower a rate by at most {percent} % a day.', { percent }),
  ),
  percentPolicy('minGainPercent', say('Minimum gain'), 100, (percent) =>
    say('A change that brings less than {percent} % of the revenue of its night is not recommended.', { percent }),
  ),
  {
    name: 'pricePoints',
    label: say('Price points'),
    type: 'amounts',
    how: say('Separate several rates by semicolons.'),
    says: (value) => {
      const rates = amountsIn(value).map((rate) => typedNumber(String(rate)));
      if (rates.length === 0) return say('Any rate within the bounds is recommended.');
      return say('Only these rates are recommended: {rates}.', { rates: rates.join('; ') });
    },
  },
  {
    name: 'sameByWeekday',
    label: say('Weekday pattern'),
    type: 'flag',
    says: (value) =>
      isYes(value)
        ? say('Recommendations change all nights of a weekday in a month together.')
        : say('Recommendations change each night by itself.'),
  },
];
