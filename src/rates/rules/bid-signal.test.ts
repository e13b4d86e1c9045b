import t from 'tap';

import { bidAt, isSameBid } from './bid-signal.ts';

const BID = { amount: 1_000, perRoom: 250, rooms: 4 };

void t.test(
  'each room sold since raises a bid price, each one that came back lowers it, never below 0',
  async (t) => {
    t.same(
      [4, 3, 0, 5, 8, 9].map((left) => bidAt(BID, left)),
      [1_000, 1_250, 2_000, 750, 0, 0],
    );
  },
);

void t.test('signals are the same by their values, and none is none', async (t) => {
  t.ok(isSameBid(BID, { ...BID }));
  t.ok(isSameBid(undefined, undefined));
  for (const other of [undefined, { ...BID, amount: 1 }, { ...BID, perRoom: 1 }, { ...BID, rooms: 1 }])
    t.notOk(isSameBid(BID, other));
});
