import t from 'tap';

import { growthPerMinute, judgeGrowth, type Point } from './flatness.ts';

const points = (group: string, value: (minute: number) => number, from = 0): Point[] =>
  Array.from({ length: 60 }, (_, n) => ({ group, minute: from + n, value: value(from + n) }));
const memory = { what: 'memory', unit: 'MB' };
const tolerance = { share: 0.1, least: 5 };

void t.test('what wavers and what falls is flat, what grows is not', async (t) => {
  const wavering = points('a', (minute) => 300 + (minute % 7) * 20);
  t.match(judgeGrowth(memory, wavering, 60, tolerance), { isFlat: true, points: 60 });
  t.match(
    judgeGrowth(
      memory,
      points('a', (minute) => 900 - minute),
      60,
      tolerance,
    ),
    { isFlat: true, growth: -60 },
  );
  const growing = points('a', (minute) => 300 + minute + (minute % 7) * 20);
  t.match(judgeGrowth(memory, growing, 60, tolerance), { isFlat: false });
});

void t.test('a mishap moves no slope, and a process is compared with itself alone', async (t) => {
  const peak = points('a', (minute) => (minute === 30 ? 9_000 : 300));
  t.equal(growthPerMinute(peak), 0);
  const restarted = [...points('a', () => 300), ...points('b', () => 500, 60)];
  t.equal(growthPerMinute(restarted), 0);
  const leaking = [...points('a', (minute) => 300 + minute), ...points('b', (minute) => minute, 60)];
  t.equal(growthPerMinute(leaking), 1);
  t.equal(growthPerMinute([]), 0);
});

void t.test('little growth of little is flat', async (t) => {
  t.match(
    judgeGrowth(
      memory,
      points('a', (minute) => 10 + minute / 20),
      60,
      tolerance,
    ),
    { isFlat: true, allowed: 5 },
  );
});
