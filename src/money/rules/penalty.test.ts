import t from 'tap';

import { penaltyOfDay, penaltyParts } from './penalty.ts';

/** A tax of 10 % on the rate, and a city tax of 3.00 a night that is no revenue and no part of a penalty. */
const nights = [
  { day: 10, rate: 10_000, taxes: 1_000, fees: 300 },
  { day: 11, rate: 12_000, taxes: 1_200, fees: 300 },
];

void t.test('a penalty is revenue and the tax on it, to the cent, and no city tax', async (t) => {
  t.same(penaltyParts(11_000, nights, 'EUR'), { revenue: 10_000, taxes: 1_000 });
  t.same(penaltyParts(11_300, nights, 'EUR'), { revenue: 10_273, taxes: 1_027 });
  t.same(penaltyParts(0, nights, 'EUR'), { revenue: 0, taxes: 0 });
  const free = [{ day: 10, rate: 0, taxes: 0, fees: 500 }];
  t.same(
    penaltyParts(500, free, 'EUR'),
    { revenue: 500, taxes: 0 },
    'of nights without a rate there is no tax to part',
  );
  for (let penalty = 1; penalty < 3_000; penalty += 7) {
    const { revenue, taxes } = penaltyParts(penalty, nights, 'EUR');
    t.equal(revenue + taxes, penalty);
  }
});

void t.test(
  'each day has what came due on it less what was waived on it, and the days sum to the retained amount',
  async (t) => {
    const cancellation = {
      day: 5,
      penalty: 3_333,
      waived: [
        { day: 5, amount: 667 },
        { day: 8, amount: 7_001 },
      ],
    };
    const days = [4, 5, 6, 7, 8, 9].map((day) => penaltyOfDay(cancellation, nights, day, 'EUR'));
    t.same(
      days.map(({ revenue, taxes }) => revenue + taxes),
      [0, 10_334, 0, 0, -7_001, 0],
    );
    t.same(
      days.reduce((sum, { taxes }) => sum + taxes, 0),
      penaltyParts(3_333, nights, 'EUR').taxes,
    );
    const later = { ...cancellation, penalty: 3_000, waived: [...cancellation.waived, { day: 12, amount: 333 }] };
    t.same(
      [4, 5, 6, 7, 8, 9].map((day) => penaltyOfDay(later, nights, day, 'EUR')),
      days,
      'a day that is over keeps its figure',
    );
  },
);
