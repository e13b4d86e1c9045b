import { check } from 'k6';
import exec from 'k6/execution';

import { CARD, closeHotels, openHotels, stayOf, wish } from './hotels.js';
import { arrivals, rateOr } from './load.js';
import { call, isSoldOut, RATES, RESERVATIONS, told } from './service.js';
import { thresholds } from './targets.js';

/** A stay from the price quote to the confirmation. */
export const options = {
  scenarios: { booking: arrivals('book', rateOr(10)) },
  thresholds: thresholds(['quote', 'hold', 'create', 'pay', 'confirm']),
};

const HOTELS = 5;
/** One guest in so many books first and pays later. */
const PAYS_LATER = 4;

export const setup = () => openHotels(HOTELS);
export const teardown = closeHotels;

/** Quote, hold, pay, confirm. A sold-out stay is a valid answer, and ends the iteration. */
export function book(hotels) {
  const n = exec.scenario.iterationInTest;
  const stay = stayOf(hotels, n);
  const { propertyId, roomType, checkIn, checkOut } = stay;
  const query = `propertyId=${propertyId}&roomType=${roomType}&checkIn=${checkIn}&checkOut=${checkOut}&adults=2`;
  if (call('quote', 'GET', `${RATES}/current?${query}`).status !== 200) return;
  const held = call(
    'hold',
    'POST',
    `${RESERVATIONS}/holds`,
    { propertyId, roomType, checkIn, checkOut, rooms: 1 },
    [201, 409],
  );
  if (isSoldOut(held) || held.status !== 201) return;
  const later = n % PAYS_LATER === PAYS_LATER - 1;
  const more = { holdId: told(held, 'holdId'), ...(later && { paymentDetails: undefined }) };
  const created = call('create', 'POST', RESERVATIONS, wish(stay, n, more), [201]);
  if (created.status !== 201) return;
  const one = `${RESERVATIONS}/${told(created, 'reservationId')}`;
  if (later) call('pay', 'POST', `${one}/payments`, CARD, [201]);
  const confirmed = call('confirm', 'GET', one);
  check(confirmed, {
    'a paid stay is confirmed': (got) => told(got, 'status') === 'CONFIRMED',
    'it is fully paid': (got) => told(got, 'financial.paymentStatus') === 'PAID',
  });
}
