import t from 'tap';

import { cellsOf, byPercent, nightsBetween, percentIn, consecutive } from './chosen-nights.ts';

const WEEK = new Set([0, 1, 2, 3, 4, 5, 6]);
const TYPES = ['STD', 'DLX', 'STE'];
const cell = (roomType: string, date: string) => ({ roomType, date });

t.test('a rectangle is the same from each of its corners', async (t) => {
  const corners = [cell('STE', '2026-12-03'), cell('DLX', '2026-11-30')] as const;
  const chosen = { roomTypes: ['DLX', 'STE'], start: '2026-11-30', end: '2026-12-03' };
  t.same(nightsBetween(corners[0], corners[1], TYPES), chosen);
  t.same(nightsBetween(corners[1], corners[0], TYPES), chosen);
  t.same(cellsOf(chosen, WEEK).length, 8);
});

t.test('weekdays narrow it, and what is left comes in runs', async (t) => {
  const chosen = nightsBetween(cell('STD', '2026-12-01'), cell('DLX', '2026-12-13'), TYPES);
  const weekend = cellsOf(chosen, new Set([5, 6]));
  t.same(consecutive(weekend), [
    { roomType: 'STD', start: '2026-12-04', end: '2026-12-05' },
    { roomType: 'STD', start: '2026-12-11', end: '2026-12-12' },
    { roomType: 'DLX', start: '2026-12-04', end: '2026-12-05' },
    { roomType: 'DLX', start: '2026-12-11', end: '2026-12-12' },
  ]);
});

t.test('percentages are read as people write them, and nothing is guessed', async (t) => {
  t.same(['10', '+10', '-7.5', '\u22127,5 %', '+ 3%'].map(percentIn), [10, 10, -7.5, -7.5, 3]);
  for (const text of ['', '%', '1000', '--3', 'ten']) t.equal(percentIn(text), undefined, text);
});

t.test('a rate moves by percent in units of its currency', async (t) => {
  t.equal(byPercent(199, 10, 2), 218.9);
  t.equal(byPercent(33.33, -7.5, 2), 30.83);
  t.equal(byPercent(12_345, 10, 0), 13_580);
  t.equal(byPercent(0.01, -50, 2), 0.01);
});
