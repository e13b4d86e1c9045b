import t from 'tap';

import { limitText, settingsText } from './advice-messages.ts';

const USUAL = {
  startDate: '2027-03-01',
  endDate: '2027-03-30',
  objective: 'MAXIMIZE_REVENUE',
  strategy: 'DYNAMIC',
  minOccupancy: null,
  maxRateIncrease: 25,
  maxRateDecrease: 12.5,
  minGainPercent: 1,
  costPerOccupiedRoom: null,
  pricePoints: null,
  sameByWeekday: false,
} as const;

t.test('settings of recommendations are said as far as they limit something', async (t) => {
  const usual = settingsText(USUAL, 'EUR');
  t.match(
    usual,
    /^Rates rise by at most 25\u00a0% and fall by at most 12\.5\u00a0% a day\. Changes .* 1\u00a0% of a night/u,
  );
  t.equal(usual.split('. ').length, 2);
  const narrow = { minOccupancy: 70, costPerOccupiedRoom: 18.5, pricePoints: [89.5, 119], sameByWeekday: true };
  const all = settingsText({ ...USUAL, ...narrow }, 'EUR');
  t.match(all, 'Only price points: €89.50; €119.00. One change for all nights of a weekday in a month.');
  t.match(all, 'At least 70\u00a0% occupancy. An occupied room costs €18.50 a night.');
});

t.test('each limit of a change has a sentence of its own', async (t) => {
  const limits = [
    'MAX_RATE_INCREASE',
    'MAX_RATE_DECREASE',
    'PLAN_BOUNDS',
    'MARKET',
    'NO_MARKET',
    'PRICE_POINTS',
  ] as const;
  t.equal(new Set(limits.map(limitText)).size, limits.length);
});
