import { check } from 'k6';
import exec from 'k6/execution';
import { Trend } from 'k6/metrics';

import { closeHotels, openHotels, stayOf, wish } from './hotels.js';
import { arrivals, rateOr } from './load.js';
import { call, isSoldOut, prepare, RESERVATIONS, SEARCH, told } from './service.js';
import { TARGETS, thresholds } from './targets.js';

/** Searches for each booking: 1,000 of a booking site, 20,000 of metasearch and agents. */
const RATIO = Number(__ENV.RATIO || 1_000);
/** Searches a second. */
const RATE = rateOr(100);
const HOTELS = Number(__ENV.HOTELS || 20);
/** Searches that wait for an answer at the same time; a late service makes k6 drop iterations, which is a failure. */
const WAITING = 100;
/** One search in so many is examined: k6 shares the machine with the service. */
const EXAMINED = 10;

/** How old an answer is when it arrives: its time on the network and on the service included. */
const age = new Trend('offers_age', true);

/** Searches over all properties of a tenant, with few bookings between them. */
export const options = {
  scenarios: {
    searching: arrivals('search', RATE, { preAllocatedVUs: WAITING }),
    booking: arrivals('book', 1, { timeUnit: `${Math.round((1_000 * RATIO) / RATE)}ms` }),
  },
  thresholds: { ...thresholds(['offers', 'create']), offers_age: [`p(95)<${TARGETS.live}`] },
};

/** Creates the hotels, and searches once: the first search of a tenant waits until its properties are read. */
export function setup() {
  const hotels = openHotels(HOTELS);
  prepare([{ method: 'POST', url: SEARCH, body: question(hotels, 0) }]);
  return hotels;
}

export const teardown = closeHotels;

export function search(hotels) {
  const n = exec.scenario.iterationInTest;
  const found = call('offers', 'POST', SEARCH, question(hotels, n));
  if (n % EXAMINED !== 0 || found.status !== 200) return;
  age.add(Date.now() - Date.parse(told(found, 'asOf')));
  check(found, {
    'a search has offers': (got) => told(got, 'items').length > 0,
    'the cheapest offer is the first': (got) => told(got, 'items.0.totalRate') <= told(got, 'items.1.totalRate'),
  });
}

export function book(hotels) {
  const n = exec.scenario.iterationInTest;
  const created = call('create', 'POST', RESERVATIONS, wish(stayOf(hotels, n), n), [201, 409]);
  if (!isSoldOut(created)) check(created, { 'a booking is confirmed': (got) => told(got, 'status') === 'CONFIRMED' });
}

function question(hotels, n) {
  const { checkIn, checkOut } = stayOf(hotels, n);
  return { checkIn, checkOut, adults: 2 };
}
