import t from 'tap';

import { dayOf } from '../../src/kernel/rules/dates.ts';
import { readBookings } from './bookings.ts';

const BOOKING: Record<string, string> = {
  arrival_date_year: '2016',
  arrival_date_month: 'May',
  arrival_date_day_of_month: '9',
  stays_in_weekend_nights: '1',
  stays_in_week_nights: '2',
  lead_time: '30',
  adults: '2',
  children: '1',
  babies: '1',
  adr: '99.5',
  market_segment: 'Direct',
  distribution_channel: 'Direct',
  reserved_room_type: 'A   ',
  booking_changes: '0',
  total_of_special_requests: '0',
  deposit_type: 'No Deposit      ',
  reservation_status: 'Canceled',
  reservation_status_date: '2016-05-01',
};

const csv = (more: Record<string, string>): string => {
  const booking = { ...BOOKING, ...more };
  return `${Object.keys(booking).join(',')}\n${Object.values(booking).join(',')}\n`;
};

void t.test('a booking is read from its columns', async (t) => {
  const folder = t.testdir({ 'bookings.csv': csv({}) });
  t.match(await readBookings(`${folder}/bookings.csv`), [
    { row: 1, roomType: 'A', arrival: dayOf('2016-05-09'), nights: 3, children: 2, adr: 9950, outcome: 'Canceled' },
  ]);
});

void t.test('missing children count as none, any other non-number is rejected', async (t) => {
  const folder = t.testdir({ 'city.csv': csv({ children: 'NA' }), 'wrong.csv': csv({ lead_time: 'NA' }) });
  t.match(await readBookings(`${folder}/city.csv`), [{ children: 1 }]);
  await t.rejects(readBookings(`${folder}/wrong.csv`), /booking 1: lead_time is NA/);
});
