import { type Day, dayOf } from '../../src/kernel/rules/dates.ts';
import type { Deposit, Outcome, RealBooking } from '../replay/bookings.ts';

const FIRST: Day = dayOf('2015-07-01');

/** Every kind of outcome, payment and change of a booking, in a small property; deterministic for a count. */
export function madeUpBookings(count: number, days: number): RealBooking[] {
  return Array.from({ length: count }, (_, index): RealBooking => {
    const row = index + 1;
    const arrival = FIRST + ((row * 7) % days);
    const nights = 1 + (row % 4);
    const outcome = outcomeOf(row);
    const leadDays = (row * 5) % 12;
    return {
      row,
      roomType: row % 3 === 0 ? 'B' : 'A',
      arrival,
      nights,
      leadDays,
      outcome,
      deposit: depositOf(row),
      adults: 1 + (row % 2),
      children: 0,
      adr: 8_000 + (row % 9) * 731,
      changes: row % 4,
      specialRequests: row % 3,
      marketSegment: 'Direct',
      distributionChannel: 'Direct',
      outcomeDay: outcomeDay(outcome, { row, arrival, nights, leadDays }),
    };
  });
}

function outcomeOf(row: number): Outcome {
  if (row % 5 === 0) return row % 2 === 0 || row % 3 === 0 ? 'No-Show' : 'Canceled';
  return row % 9 === 0 ? 'Canceled' : 'Check-Out';
}

function depositOf(row: number): Deposit {
  if (row % 10 === 1) return 'Refundable';
  return row % 7 === 0 ? 'Non Refund' : 'No Deposit';
}

/** Some leave a night early. */
function outcomeDay(
  outcome: Outcome,
  { row, arrival, nights, leadDays }: { row: number; arrival: Day; nights: number; leadDays: number },
): Day {
  if (outcome === 'Check-Out') return arrival + nights - (row % 8 === 0 && nights > 1 ? 1 : 0);
  return outcome === 'Canceled' ? arrival - (row % (leadDays + 1)) : arrival;
}
