import t from 'tap';

import type { ChannelValue } from '../rules/channel.ts';
import { countStored, nightsOfRuns, storedRuns } from './stored-values.ts';

const FIRST = 20_000;
const CLOSED = { closed: true, closedToArrival: false, closedToDeparture: true, minStay: 2, maxStay: 0 };

t.test('nights are stored as runs, and what was not taken apart from what nobody knows of the same night', (t) => {
  const value: ChannelValue = { availability: 0, rate: 10_000, currency: 'EUR', restrictions: CLOSED };
  const doubtful = new Map([0, 1, 2, 4].map((n) => [FIRST + n, value]));
  const some = { restrictions: { closed: false, maxStay: 3 } };
  const rejected = new Map([0, 1].map((n) => [FIRST + n, { ...(n === 0 ? { rate: 12_000 } : some), at: 1_000 + n }]));
  const runs = [...storedRuns(rejected), ...storedRuns(doubtful)];
  t.equal(runs.length, 4, 'nights in a row with the same value and time are one');
  const read = nightsOfRuns(JSON.parse(JSON.stringify(runs)) as typeof runs);
  t.same(read, { nights: doubtful, timed: rejected });
  t.equal(countStored(runs), 2, 'only what was not taken counts as that');
  t.end();
});
