import t from 'tap';

import { adultsOnly, occupancyAmount, type OccupancyPrice, occupancyPriceOf, pricedParty } from './occupancy.ts';

const BANDS = [
  { code: 'BABY', toAge: 2 },
  { code: 'CHILD', toAge: 11 },
];
const PRICE: OccupancyPrice = {
  included: 2,
  extraAdult: 4_000,
  single: -1_500,
  bands: { CHILD: 2_000 },
};

void t.test(
  'a child pays by its age, and as an adult when it is older than all bands or its age is unknown',
  async (t) => {
    const party = (children: number, childAges?: number[]) =>
      pricedParty({ adults: 2, children, ...(childAges && { childAges }) }, BANDS);
    t.strictSame(party(3, [2, 3, 11]), { adults: 2, bands: ['CHILD', 'CHILD', 'BABY'] });
    t.strictSame(party(2, [5, 12]), { adults: 3, bands: ['CHILD'] });
    t.strictSame(party(2), { adults: 4, bands: [] });
    t.strictSame(pricedParty({ adults: 1, children: 1, childAges: [0] }, []), { adults: 2, bands: [] });
  },
);

void t.test('bands may stand in any order: the youngest one that fits counts', async (t) => {
  const party = { adults: 1, children: 1, childAges: [1] };
  t.strictSame(pricedParty(party, BANDS.toReversed()).bands, ['BABY']);
});

void t.test('the price has its guests in it, adults first, then the oldest children', async (t) => {
  const amount = (adults: number, ...bands: string[]) => occupancyAmount(PRICE, { adults, bands });
  t.equal(amount(2), 0);
  t.equal(amount(3), 4_000);
  t.equal(amount(1, 'CHILD'), 0, 'the second place is free');
  t.equal(amount(1, 'CHILD', 'CHILD'), 2_000);
  t.equal(amount(2, 'CHILD', 'BABY'), 2_000, 'a band without an amount is free of charge');
  t.equal(amount(4, 'CHILD'), 10_000);
  t.equal(amount(2, 'constructor'), 0, 'a code is no member of objects');
});

void t.test('who is alone saves the reduction; a child beside an adult is no single guest', async (t) => {
  t.equal(occupancyAmount(PRICE, adultsOnly(1)), -1_500);
  t.equal(occupancyAmount(PRICE, { adults: 1, bands: ['BABY'] }), 0);
  const { single: _, ...others } = PRICE;
  t.equal(occupancyAmount(others, adultsOnly(1)), 0);
});

void t.test('a room type has its own prices, all others the common ones', async (t) => {
  const suite = { ...PRICE, roomType: 'SUITE', extraAdult: 9_000 };
  t.equal(occupancyPriceOf([PRICE, suite], 'SUITE'), suite);
  t.equal(occupancyPriceOf([suite, PRICE], 'STD'), PRICE);
  t.equal(occupancyPriceOf([suite], 'STD'), undefined);
});
