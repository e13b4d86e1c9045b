import t from 'tap';

import { type CompetitorRate, filterQuotes } from './competitor-rate.ts';

const NOW = 1_800_000_000_000;
const PROPERTY_ID = { currency: 'EUR', roomTypes: ['STD', 'DLX'], start: 100, end: 110, now: NOW };
const rate = (other: Partial<CompetitorRate> = {}): CompetitorRate => ({
  competitorId: 'grand',
  roomType: 'STD',
  day: 105,
  rate: 10_000,
  currency: 'EUR',
  observedAt: NOW,
  ...other,
});

t.test(
  'rates of the property, its types, its dates and its currency are accepted, others left out with their reason',
  async (t) => {
    const good = [rate(), rate({ day: 100 }), rate({ day: 110, roomType: 'DLX' }), rate({ competitorId: 'plaza' })];
    const bad = [
      rate({ currency: 'USD' }),
      rate({ currency: 'GBP' }),
      rate({ roomType: 'SUITE' }),
      rate({ day: 99 }),
      rate({ day: 111 }),
      rate({ observedAt: NOW + 300_001 }),
    ];
    t.strictSame(filterQuotes([...bad, ...good], PROPERTY_ID), {
      comparable: good,
      leftOut: { CURRENCY: 2, ROOM_TYPE: 1, DATE: 2, OBSERVED_AT: 1 },
    });
    t.strictSame(
      filterQuotes([rate({ observedAt: NOW + 300_000 })], PROPERTY_ID).leftOut,
      {},
      'clocks differ a little',
    );
  },
);

t.test('of two rates for the same night the newer observation counts, in any order', async (t) => {
  const [older, newer] = [rate({ observedAt: NOW - 2 }), rate({ observedAt: NOW - 1, rate: 12_000 })];
  for (const rows of [
    [older, newer],
    [newer, older],
  ])
    t.strictSame(filterQuotes(rows, PROPERTY_ID), { comparable: [newer], leftOut: { DOUBLE: 1 } });
});

t.test('names that look alike when put together are different competitors', async (t) => {
  const pair = [rate({ competitorId: 'a","STD' }), rate({ competitorId: 'a' })];
  t.equal(filterQuotes(pair, PROPERTY_ID).comparable.length, 2);
});
