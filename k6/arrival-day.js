import { check, sleep } from 'k6';
import exec from 'k6/execution';

import { closeHotels, day, openHotels, wish } from './hotels.js';
import { arrivals, rateOr, SECONDS } from './load.js';
import { call, prepare, RESERVATIONS, TENANT_PATHS, told } from './service.js';
import { thresholds } from './targets.js';

const HOTELS = 5;
const TYPES = ['STD', 'DLX', 'STE'];
const RATE = rateOr(4);
/** Guests of a run; each has a separate room, since all of them stay tonight. */
const GUESTS = Math.ceil(RATE * SECONDS) + 1;
/** Time from the first arrival to the first departure. */
const STAY_SECONDS = 5;
/** Longest wait for a check-in before the departure of a guest. */
const LONGEST_WAIT_SECONDS = 30;

/**
 * The front desk on a busy day. Guests with a booking for today arrive and leave a few seconds later, since a service
 * without a movable clock has no guests of yesterday, and their rooms are cleaned.
 */
export const options = {
  scenarios: {
    coming: arrivals('come', RATE),
    going: arrivals('go', RATE, { startTime: `${STAY_SECONDS}s` }),
  },
  thresholds: thresholds(['checkin', 'bill', 'checkout', 'clean']),
};

/** Creates hotels with numbered rooms, and a paid reservation for today for each guest. */
export function setup() {
  const perType = Math.ceil(GUESTS / HOTELS / TYPES.length);
  const hotels = openHotels(HOTELS, perType);
  const answers = prepare(
    Array.from({ length: GUESTS }, (_, n) => {
      const roomType = TYPES[Math.floor(n / HOTELS) % TYPES.length];
      const dates = { checkIn: day(hotels.today, 0), checkOut: day(hotels.today, 1) };
      const stay = { propertyId: hotels.ids[n % HOTELS], roomType, ...dates };
      return { method: 'POST', url: RESERVATIONS, body: wish(stay, n) };
    }),
  );
  return { ...hotels, guests: answers.map((answer) => told(answer, 'reservationId')) };
}

export const teardown = closeHotels;

export function come({ guests }) {
  const one = guests[exec.scenario.iterationInTest];
  const body = { identificationVerified: true, keyCards: 2, staffMember: 'k6' };
  const answer = call('checkin', 'POST', `${RESERVATIONS}/${one}/checkin`, body);
  check(answer, { 'a guest has a room': (got) => Boolean(told(got, 'roomDetails.roomNumber')) });
}

export function go({ ids, guests }) {
  const n = exec.scenario.iterationInTest;
  const one = `${RESERVATIONS}/${guests[n]}`;
  let bill = call('bill', 'GET', one);
  for (let waited = 0; told(bill, 'status') !== 'CHECKED_IN' && waited < LONGEST_WAIT_SECONDS; waited += 1) {
    sleep(1);
    bill = call('bill', 'GET', one);
  }
  const finalCharges = [{ description: 'Minibar', amount: 9.5 }];
  const body = { finalCharges, roomCondition: 'GOOD', keyCardsReturned: 2, staffMember: 'k6' };
  const left = call('checkout', 'POST', `${one}/checkout`, body);
  check(left, { 'a guest who has left owes nothing': (got) => told(got, 'status') === 'CHECKED_OUT' });
  const room = `${TENANT_PATHS}/properties/${ids[n % HOTELS]}/rooms/${told(bill, 'stayDetails.roomNumber')}`;
  call('clean', 'PUT', `${room}/status`, { status: 'CLEAN' });
}
