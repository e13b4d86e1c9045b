import { dayOf } from '../../src/kernel/rules/dates.ts';
import type { RealBooking } from './bookings.ts';

/** A booking of two nights as a row of the resort file, for tests: it leaves on its last day unless something else is said. */
export function realBooking(more: Partial<RealBooking> = {}): RealBooking {
  const { arrival = dayOf('2016-05-10'), nights = 2 } = more;
  return {
    row: 1,
    roomType: 'A',
    arrival,
    nights,
    leadDays: 10,
    adults: 2,
    children: 0,
    adr: 10_000,
    marketSegment: 'Direct',
    distributionChannel: 'Direct',
    changes: 0,
    specialRequests: 0,
    deposit: 'No Deposit',
    outcome: 'Check-Out',
    outcomeDay: arrival + nights,
    ...more,
  };
}
