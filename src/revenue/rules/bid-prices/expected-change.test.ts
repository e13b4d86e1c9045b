import t from 'tap';

import { type BidNight } from './bid-prices.ts';
import { changedNights, dueTypes, isDueAgain } from './expected-change.ts';

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
  t.ok(isDueAgain(month(), month({ booked: 9 })), 'four rooms that the forecast had not expected');
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

void t.test('the most changed room type is due first, and one that has hardly changed is not due', async (t) => {
  const of = (roomType: string, over: Partial<BidNight> = {}) => month(over).map((night) => ({ ...night, roomType }));
  const before = new Map(['A', 'B', 'C'].map((roomType) => [roomType, of(roomType)]));
  const now = [...of('A', { expected: 6 }), ...of('B', { expected: 9 }), ...of('C', { expected: 0 }), ...of('NEW')];
  t.same(
    dueTypes(now, (roomType) => before.get(roomType)).map(({ roomType }) => roomType),
    ['NEW', 'C', 'A'],
  );
});

void t.test('nights around a changed one are computed again, within the reach of a stay', async (t) => {
  const days = (over: Partial<BidNight>) => [...changedNights(month(), month(over), 3)!].toSorted((a, b) => a - b);
  const around = [5, 6, 7, 8, 9].map((n) => 20_000 + n);
  t.same(days({}), []);
  t.same(days({ expected: 10.05 }), []);
  for (const over of [{ expected: 9 }, { booked: 6 }, { capacity: 19 }, { current: 9_900 }])
    t.same(days(over), around);
  t.equal(changedNights(month(), month().slice(1), 3), undefined);
});
