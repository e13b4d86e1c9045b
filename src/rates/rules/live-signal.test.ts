import t from 'tap';

import { factorAt, isSameLive, isValidLive, type LiveSignal } from './live-signal.ts';

const LIVE: LiveSignal = { rooms: 9, step: 3, factors: [9_000, 9_600, 12_000, 18_000], start: 10_000, on: 20_000 };

void t.test('each room sold since raises the factor, each one that came back lowers it', async (t) => {
  t.same(
    [12, 9, 8, 6, 5, 3, 2, 1, 0, -4].map((left) => factorAt(LIVE, left)),
    [9_000, 9_000, 9_200, 9_600, 10_400, 12_000, 14_000, 16_000, 18_000, 18_000],
  );
  t.equal(factorAt({ ...LIVE, factors: [8_000] }, 1), 8_000);
});

void t.test('signals are the same by their values, and none is none', async (t) => {
  t.ok(isSameLive(LIVE, { ...LIVE, factors: [...LIVE.factors] }));
  t.ok(isSameLive(undefined, undefined));
  for (const other of [
    undefined,
    { ...LIVE, rooms: 8 },
    { ...LIVE, step: 2 },
    { ...LIVE, start: 1 },
    { ...LIVE, on: 1 },
    { ...LIVE, factors: LIVE.factors.slice(1) },
    { ...LIVE, factors: [...LIVE.factors.slice(1), 1] },
  ])
    t.notOk(isSameLive(LIVE, other));
});

void t.test('a table that nothing can be priced by is none', async (t) => {
  t.ok(isValidLive(LIVE));
  for (const invalid of [{ step: 0 }, { factors: [] }, { factors: [0] }, { factors: [NaN] }, { start: 40_000 }])
    t.notOk(isValidLive({ ...LIVE, ...invalid }));
});
