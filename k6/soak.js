import { check } from 'k6';
import exec from 'k6/execution';

import { closeHotels, openHotels, stayOf, wish } from './hotels.js';
import { arrivals, rateOr } from './load.js';
import { call, isSoldOut, RATES, RESERVATIONS, told } from './service.js';
import { thresholds } from './targets.js';

/** A usual day for as long as wanted: quotes, lists, bookings, of which some are cancelled. */
export const options = {
  scenarios: { day: arrivals('live', rateOr(20)) },
  thresholds: thresholds(['quote', 'list', 'create', 'cancel']),
};

const HOTELS = 10;
const PAGE = 50;

export const setup = () => openHotels(HOTELS);
export const teardown = closeHotels;

/** Out of ten: six quotes, two pages of a list, two bookings, of which every second one is cancelled. */
export function live(hotels) {
  const n = exec.scenario.iterationInTest;
  const stay = stayOf(hotels, n);
  if (n % 10 < 6) {
    const query = `propertyId=${stay.propertyId}&checkIn=${stay.checkIn}&checkOut=${stay.checkOut}&adults=2`;
    call('quote', 'GET', `${RATES}/current?${query}`);
  } else if (n % 10 < 8) {
    call('list', 'GET', `${RESERVATIONS}?propertyId=${stay.propertyId}&limit=${PAGE}`);
  } else {
    const created = call('create', 'POST', RESERVATIONS, wish(stay, n), [201, 409]);
    if (isSoldOut(created) || created.status !== 201) return;
    check(created, { 'a booking is confirmed': (got) => told(got, 'status') === 'CONFIRMED' });
    if (n % 10 === 9) {
      const one = `${RESERVATIONS}/${told(created, 'reservationId')}`;
      call('cancel', 'DELETE', one, { reason: 'GUEST_REQUEST', refundRequested: true });
    }
  }
}
