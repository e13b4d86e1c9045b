import t from 'tap';

import { dayOf } from '../../kernel/rules/dates.ts';
import type { Booking } from '../../kernel/rules/journal.ts';
import { kindOf, pauseAfter, reminderDays } from './notification.ts';

const event = (event: Booking['event'], status: string) => kindOf({ event, status } as Booking);

t.test('confirmations, changes and cancellations are notified; holds are not', async (t) => {
  t.equal(event('CREATED', 'CONFIRMED'), 'CONFIRMATION');
  t.equal(event('CREATED', 'PENDING'), undefined);
  t.equal(event('CONFIRMED', 'CONFIRMED'), 'CONFIRMATION');
  t.equal(event('MODIFIED', 'CONFIRMED'), 'MODIFICATION');
  t.equal(event('MODIFIED', 'CHECKED_IN'), 'MODIFICATION');
  t.equal(event('MODIFIED', 'PENDING'), undefined);
  t.equal(event('CANCELLED', 'CANCELLED'), 'CANCELLATION');
  t.equal(event('EXPIRED', 'CANCELLED'), 'CANCELLATION');
  t.equal(event('NO_SHOW', 'NO_SHOW'), 'CANCELLATION');
  t.equal(event('REINSTATED', 'CONFIRMED'), 'CONFIRMATION');
  t.equal(event('REINSTATED', 'PENDING'), 'MODIFICATION', 'who learned that it ended learns that it has not');
  t.equal(event('PAYMENT_FAILED', 'CONFIRMED'), 'PAYMENT_FAILED');
  for (const quiet of ['HELD', 'RELEASED', 'CHECKED_IN'] as const) t.equal(event(quiet, 'CONFIRMED'), undefined);
  t.equal(event('SOMETHING_NEWER' as Booking['event'], 'CONFIRMED'), undefined);
});

t.test('pauses grow and end', async (t) => {
  const pauses = Array.from({ length: 12 }, (_, n) => pauseAfter(n + 1));
  const given = pauses.filter((pause) => pause !== undefined);
  t.same(
    given,
    given.toSorted((a, b) => a - b),
  );
  t.equal(given.length, 9);
  t.same(pauses.slice(9), [undefined, undefined, undefined]);
});

t.test(
  'guests are reminded from 24 hours before their check-in time on until then, by the clock of the hotel',
  async (t) => {
    const denver = { timezone: 'America/Denver', checkInTime: '15:00' };
    const days = (at: string, clock = denver) => reminderDays(Date.parse(at), clock, 24).map(({ day }) => day);
    const [first, second] = [dayOf('2027-01-10'), dayOf('2027-01-11')];
    // 15:00 there is 22:00 UTC.
    t.same(days('2027-01-09T21:59:59.999Z'), [dayOf('2027-01-09')]);
    t.same(days('2027-01-09T22:00:00Z'), [first]);
    t.same(days('2027-01-10T21:59:59.999Z'), [first]);
    t.same(days('2027-01-10T22:00:00Z'), [second]);
    const [{ since } = { since: 0 }] = reminderDays(Date.parse('2027-01-09T23:00:00Z'), denver, 24);
    t.equal(since, Date.parse('2027-01-09T22:00:00Z'));
    const early = reminderDays(Date.parse('2027-01-07T23:00:00Z'), denver, 72).map(({ day }) => day);
    t.same(early, [dayOf('2027-01-08'), dayOf('2027-01-09'), first], 'or as many as the tenant says');
  },
);

t.test('in the night of a change of clocks 24 hours are still 24 hours', async (t) => {
  const lisbon = { timezone: 'Europe/Lisbon', checkInTime: '00:30' };
  // On 2027-03-28 the clock goes from 01:00 to 02:00; the arrival on the 29th at 00:30 is at 23:30 UTC.
  const at = (time: string) => reminderDays(Date.parse(time), lisbon, 24).map(({ day }) => day);
  t.same(at('2027-03-27T23:29:59Z'), [dayOf('2027-03-28')]);
  t.same(at('2027-03-27T23:30:00Z'), [dayOf('2027-03-28'), dayOf('2027-03-29')]);
  t.same(at('2027-03-28T00:30:00Z'), [dayOf('2027-03-29')]);
});
