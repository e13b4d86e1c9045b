import { check } from 'k6';
import exec from 'k6/execution';

import { closeHotels, openHotels, stayOf, wish } from './hotels.js';
import { arrivals, rateOr } from './load.js';
import { call, isSoldOut, RESERVATIONS, told } from './service.js';
import { thresholds } from './targets.js';

/** Guests who change their booking: one night longer, another request, and then a cancellation. */
export const options = {
  scenarios: { changing: arrivals('change', rateOr(8)) },
  thresholds: thresholds(['create', 'modify', 'cancel']),
};

const HOTELS = 5;

export const setup = () => openHotels(HOTELS);
export const teardown = closeHotels;

export function change(hotels) {
  const n = exec.scenario.iterationInTest;
  const stay = stayOf(hotels, n);
  const created = call('create', 'POST', RESERVATIONS, wish(stay, n), [201, 409]);
  if (isSoldOut(created) || created.status !== 201) return;
  const one = `${RESERVATIONS}/${told(created, 'reservationId')}`;
  const longer = call('modify', 'PUT', one, { modifications: { stayDetails: { checkOut: stay.later } } }, [200, 409]);
  if (!isSoldOut(longer))
    check(longer, { 'a longer stay ends later': (got) => told(got, 'changes.checkOut.to') === stay.later });
  call('modify', 'PUT', one, { modifications: { specialRequests: ['a quiet room'] }, reason: 'load test' });
  const cancelled = call('cancel', 'DELETE', one, { reason: 'GUEST_REQUEST', refundRequested: true });
  check(cancelled, { 'a cancelled stay is refunded': (got) => told(got, 'refund.refundAmount') > 0 });
}
