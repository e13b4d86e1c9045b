import fc from 'fast-check';
import t from 'tap';

import { dayOf, formatDay } from './dates.ts';
import { businessDate, endOfBusinessDay, instantAt, isTimezone, type PropertyClock } from './property-time.ts';

const at = (iso: string): number => Date.parse(iso);
const clock = (timezone: string, nightAuditHour = 3): PropertyClock => ({ timezone, nightAuditHour });

/** Zones far east and west, with half hours, with and without summer time, north and south. */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'Europe/Lisbon',
  'America/New_York',
  'America/Denver',
  'America/St_Johns',
  'America/Havana',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Atlantic/Azores',
];

void t.test('the business date rolls at three in the morning of the property', async (t) => {
  const berlin = clock('Europe/Berlin');
  t.equal(formatDay(businessDate(at('2026-01-15T01:59:59.999Z'), berlin)), '2026-01-14');
  t.equal(formatDay(businessDate(at('2026-01-15T02:00:00Z'), berlin)), '2026-01-15');
  t.equal(formatDay(businessDate(at('2026-01-15T22:59:59Z'), berlin)), '2026-01-15');
  t.equal(
    formatDay(businessDate(at('2026-01-15T23:30:00Z'), berlin)),
    '2026-01-15',
    'after midnight it is still the day before',
  );
});

void t.test('one instant is another business date east and west of it', async (t) => {
  const now = at('2026-06-30T12:00:00Z');
  t.equal(formatDay(businessDate(now, clock('Pacific/Kiritimati'))), '2026-06-30', '02:00 on 1 July there');
  t.equal(formatDay(businessDate(now + 3_600_000, clock('Pacific/Kiritimati'))), '2026-07-01');
  t.equal(formatDay(businessDate(now, clock('Pacific/Pago_Pago'))), '2026-06-29', '01:00 on 30 June there');
});

void t.test('the roll follows summer time both ways', async (t) => {
  const berlin = clock('Europe/Berlin');
  t.equal(endOfBusinessDay(dayOf('2026-03-28'), berlin), at('2026-03-29T01:00:00Z'), '02:00 became 03:00: the roll');
  t.equal(endOfBusinessDay(dayOf('2026-10-24'), berlin), at('2026-10-25T02:00:00Z'), '02:00 came twice, 03:00 once');
  const newYork = clock('America/New_York', 2);
  t.equal(
    endOfBusinessDay(dayOf('2026-03-07'), newYork),
    at('2026-03-08T07:00:00Z'),
    'a skipped roll happens when the gap ends',
  );
});

void t.test(
  'a wall clock time that spring skips is an hour later, one that autumn repeats is the first',
  async (t) => {
    t.equal(instantAt(dayOf('2026-03-29'), '02:30', 'Europe/Berlin'), at('2026-03-29T01:30:00Z'));
    t.equal(instantAt(dayOf('2026-10-25'), '02:30', 'Europe/Berlin'), at('2026-10-25T00:30:00Z'));
    t.equal(instantAt(dayOf('2026-11-01'), '01:30', 'America/New_York'), at('2026-11-01T05:30:00Z'));
    t.equal(instantAt(dayOf('2026-03-08'), '02:30', 'America/New_York'), at('2026-03-08T07:30:00Z'));
  },
);

void t.test('hours on the day of a change before and after it are right', async (t) => {
  t.equal(instantAt(dayOf('2026-03-29'), '00:30', 'Europe/Berlin'), at('2026-03-28T23:30:00Z'));
  t.equal(instantAt(dayOf('2026-03-29'), '15:00', 'Europe/Berlin'), at('2026-03-29T13:00:00Z'));
  t.equal(instantAt(dayOf('2026-10-25'), '15:00', 'Europe/Berlin'), at('2026-10-25T14:00:00Z'));
  t.equal(instantAt(dayOf('2026-07-01'), '15:00', 'Asia/Kathmandu'), at('2026-07-01T09:15:00Z'));
});

void t.test('in every zone the business date ends exactly when the next one begins', async () => {
  const zone = fc.constantFrom(...ZONES);
  const day = fc.integer({ min: dayOf('2024-01-01'), max: dayOf('2029-12-31') });
  fc.assert(
    fc.property(zone, day, fc.integer({ min: 0, max: 11 }), (timezone, today, hour) => {
      const roll = endOfBusinessDay(today, clock(timezone, hour));
      const before = businessDate(roll - 1, clock(timezone, hour));
      const after = businessDate(roll, clock(timezone, hour));
      return before === today && after === today + 1;
    }),
    { numRuns: 400 },
  );
});

void t.test('a business date never goes back as time passes', async () => {
  const moment = fc.integer({ min: at('2024-01-01T00:00:00Z'), max: at('2029-12-31T00:00:00Z') });
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      moment,
      fc.integer({ min: 0, max: 7_200_000 }),
      (timezone, now, later) => businessDate(now, clock(timezone)) <= businessDate(now + later, clock(timezone)),
    ),
    { numRuns: 400 },
  );
});

void t.test('only time zones that the runtime knows are time zones', async (t) => {
  t.ok(isTimezone('America/Denver'));
  for (const name of ['', 'Mars/Olympus', 'Europe/Berlin ', '../etc']) t.notOk(isTimezone(name), name);
});
