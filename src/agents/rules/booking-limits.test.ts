import t from 'tap';

import { checkAgentBookings } from './booking-limits.ts';

const NOW = Date.parse('2026-06-01T10:00:00Z');
const nothing = { unpaidStays: 0, ofDay: { count: 0 }, ofAddress: { count: 0 } };
const hoursAgo = (hours: number): number => NOW - hours * 3_600_000;

t.test('bookings below every limit are made', async (t) => {
  checkAgentBookings(nothing, true, NOW);
  checkAgentBookings({ unpaidStays: 9, ofDay: { count: 29 }, ofAddress: { count: 4 } }, true, NOW);
  checkAgentBookings({ ...nothing, unpaidStays: 50 }, false, NOW);
  t.pass();
});

t.test('a refusal names its limit, and when the oldest booking is a day old', async (t) => {
  const refused = (more: object, bound: string, limit: number, retryAfterSeconds: number) =>
    t.throws(() => checkAgentBookings({ ...nothing, ...more }, true, NOW), {
      code: 'QUOTA_EXCEEDED',
      details: { retryAfterSeconds, extra: { bound, limit } },
    });
  refused({ unpaidStays: 10 }, 'agent-unpaid-stays', 10, 3_600);
  refused({ ofAddress: { count: 5, oldest: hoursAgo(20) } }, 'agent-address-bookings', 5, 4 * 3_600);
  refused({ ofDay: { count: 30, oldest: hoursAgo(23) } }, 'agent-day-bookings', 30, 3_600);
});
