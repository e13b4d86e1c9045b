import t from 'tap';

import { calendarOf } from './events.ts';
import { eventTable } from './table.ts';

const fair = (firstNight: number) => ({
  name: 'Fair',
  firstNight,
  lastNight: firstNight + 2,
  effect: 'HIGH' as const,
});
const EVENTS = [fair(100), fair(465)];

void t.test('a calendar may be empty, or wrong about the newest of an event', async (t) => {
  t.same(calendarOf(EVENTS, 'none'), []);
  t.same(calendarOf(EVENTS, 'right'), EVENTS);
  t.same(calendarOf(EVENTS, 'wrongEffect'), [fair(100), { ...fair(465), effect: 'LOW' }]);
  t.same(calendarOf(EVENTS, 'wrongNights'), [fair(100), fair(476)], 'those that have been are known');
});

void t.test('a line says what each calendar was off by', async (t) => {
  const figures = { kind: 'feasts' as const, days: 30, nights: 32, none: 6.04, right: 5.15 };
  const text = eventTable([{ ...figures, wrongEffect: 5.2, wrongNights: 6.21 }]);
  t.match(text.split('\n').at(-1), /feasts \(32\) +30 +6\.04 % +5\.15 % +5\.20 % +6\.21 %/);
});
