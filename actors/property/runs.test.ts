import t from 'tap';

import { fewRuns, runsOf } from './runs.ts';

void t.test('neighbours that are alike are one run, and gaps are reported', async (t) => {
  const rooms = [4, 4, 5, undefined, 5, 5];
  const runs = runsOf([10, 11, 12, 13, 14, 15], (day) => {
    const total = rooms[day - 10];
    return total === undefined ? undefined : { total };
  });
  t.same(runs, [
    { start: 10, end: 11, total: 4 },
    { start: 12, end: 12, total: 5 },
    { start: 14, end: 15, total: 5 },
  ]);
  t.same(
    runsOf([1, 3], () => ({ total: 1 })),
    [
      { start: 1, end: 1, total: 1 },
      { start: 3, end: 3, total: 1 },
    ],
    'a night between that was not requested ends a run',
  );
});

void t.test('a row keeps so many, and counts the rest', async (t) => {
  const runs = Array.from({ length: 1_002 }, (_, day) => ({ start: day, end: day, total: day }));
  t.equal(fewRuns(runs.slice(0, 1_000)).length, 1_000);
  t.same(fewRuns(runs).at(-1), { more: 2 });
});
