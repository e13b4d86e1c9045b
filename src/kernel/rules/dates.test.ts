import fc from 'fast-check';
import t from 'tap';

import { dayOf, formatDay, isWeekend, parseDay, WEEKDAYS, weekdayIndex } from './dates.ts';

const days = fc.integer({ min: -200_000, max: 2_000_000 });

void t.test('a day that is printed is read back as the same day', async () => {
  fc.assert(
    fc.property(
      fc.integer({ min: parseDay('0001-01-01')!, max: parseDay('9999-12-31')! }),
      (day) => parseDay(formatDay(day)) === day,
    ),
  );
});

void t.test('a day that no calendar has is not read', async (t) => {
  for (const text of [
    '2026-02-29',
    '2026-02-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2100-02-29',
    '0000-01-01',
  ])
    t.equal(parseDay(text), undefined, text);
  t.equal(formatDay(dayOf('2028-02-29')), '2028-02-29', 'a leap day is one');
  t.equal(formatDay(dayOf('2000-02-29')), '2000-02-29');
});

void t.test('another shape than YYYY-MM-DD is not read', async (t) => {
  for (const text of [
    '',
    '2026-1-1',
    '20260101',
    ' 2026-01-01',
    '2026-01-01\n',
    '2026-01-01T00:00:00Z',
    '+2026-01-01',
  ])
    t.equal(parseDay(text), undefined, JSON.stringify(text));
  t.throws(() => dayOf('tomorrow'), /not a calendar day/);
});

void t.test('the weekday follows the calendar before and after 1970', async (t) => {
  t.equal(WEEKDAYS[weekdayIndex(0)], 'THURSDAY');
  t.equal(WEEKDAYS[weekdayIndex(dayOf('2026-11-21'))], 'SATURDAY');
  t.equal(WEEKDAYS[weekdayIndex(dayOf('1969-12-28'))], 'SUNDAY');
  fc.assert(fc.property(days, (day) => weekdayIndex(day) === new Date(day * 86_400_000).getUTCDay()));
});

void t.test('Friday and Saturday nights are the weekend, Sunday night is not', async (t) => {
  const monday = dayOf('2026-11-16');
  t.same(
    [0, 1, 2, 3, 4, 5, 6].map((offset) => isWeekend(monday + offset)),
    [false, false, false, false, true, true, false],
  );
});
