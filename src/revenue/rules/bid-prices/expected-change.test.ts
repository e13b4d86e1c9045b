import t from 'tap';

import { type BidNight } from './bid-prices.ts';
import { isDueAgain } from './expected-change.ts';

/** A month of nights with 10 expected rooms each, one of them changed. */
function month(over: Partial<BidNight> = {}): BidNight[] {
  return Array.from({ length: 30 }, (_, n) => ({
    roomType: 'STD',
    day: 20_000 + n,
    capacity: 20,
    booked: 5,
    current: 10_000,
    expected: 10,
    deviation: 3,
    ...(n === 7 && over),
  }));
}

void t.test('a program is due again when one percent of what is expected has changed', async (t) => {
  t.notOk(isDueAgain(month(), month()));
  t.notOk(isDueAgain(month(), month({ expected: 8, booked: 7 })), 'two of 300 rooms');
  t.ok(isDueAgain(month(), month({ expected: 6, booked: 9 })), 'four of 300 rooms');
  t.ok(isDueAgain(month(), month({ capacity: 10 })));
});

void t.test('rates count by the guests who see them', async (t) => {
  t.notOk(isDueAgain(month(), month({ current: 10_100 })));
  t.ok(isDueAgain(month(), month({ current: 15_000 })));
  t.ok(isDueAgain(month({ current: 0 }), month()));
});

void t.test('other nights are another program', async (t) => {
  t.ok(isDueAgain(month(), month().slice(1)));
  t.ok(isDueAgain(month(), month({ day: 20_100 })));
  t.notOk(isDueAgain([], []));
});
