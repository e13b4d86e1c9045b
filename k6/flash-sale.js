import { check } from 'k6';
import exec from 'k6/execution';
import { Counter } from 'k6/metrics';

import { closeHotels, day, openHotels, wish } from './hotels.js';
import { rateOr, SECONDS } from './load.js';
import { call, isSoldOut, prepare, RESERVATIONS, TENANT_PATHS, told } from './service.js';
import { thresholds } from './targets.js';

const HOTELS = 3;
const TYPES = ['STD', 'DLX', 'STE'];
const RATE = rateOr(40);
/** The rush grows for so much of the time, and then stays. */
const RISING = 0.3;
const ATTEMPTS = RATE * SECONDS * (1 - RISING / 2);
/** Rooms of a type: a third of what is wanted. */
const ROOMS = Math.max(1, Math.floor(ATTEMPTS / 3 / HOTELS / TYPES.length));
/** The night that everybody wants, from today. */
const NIGHT = 20;
/** One buyer in so many cancels at once, so that rooms return while others ask for them. */
const CANCELS = 10;
const PAGE = 200;

const sold = new Counter('rooms_sold');
const returned = new Counter('rooms_returned');
/** Rooms sold beyond those that there are, and bookings that nights and reservations do not agree on. */
const oversold = new Counter('rooms_oversold');
const refused = new Counter('rooms_refused');

/** The last rooms of a night, three times as many buyers as rooms. No room may be sold twice. */
export const options = {
  scenarios: {
    rush: {
      executor: 'ramping-arrival-rate',
      exec: 'buy',
      startRate: 1,
      timeUnit: '1s',
      preAllocatedVUs: Math.max(50, RATE * 2),
      stages: [
        { target: RATE, duration: `${Math.max(1, Math.round(SECONDS * RISING))}s` },
        { target: RATE, duration: `${Math.max(1, Math.round(SECONDS * (1 - RISING)))}s` },
      ],
    },
  },
  thresholds: {
    ...thresholds(['create', 'cancel']),
    rooms_oversold: ['count<1'],
    rooms_sold: [`count>=${ROOMS * HOTELS * TYPES.length}`],
    rooms_refused: ['count>0'],
  },
};

export const setup = () => openHotels(HOTELS, ROOMS);

export function buy({ ids, today }) {
  const n = exec.scenario.iterationInTest;
  const roomType = TYPES[Math.floor(n / HOTELS) % TYPES.length];
  const dates = { checkIn: day(today, NIGHT), checkOut: day(today, NIGHT + 1) };
  const stay = { propertyId: ids[n % HOTELS], roomType, ...dates };
  const created = call('create', 'POST', RESERVATIONS, wish(stay, n), [201, 409]);
  if (isSoldOut(created)) refused.add(1);
  if (created.status !== 201) return;
  sold.add(1);
  if (n % CANCELS !== 0) return;
  const one = `${RESERVATIONS}/${told(created, 'reservationId')}`;
  const cancelled = call('cancel', 'DELETE', one, { reason: 'GUEST_REQUEST', refundRequested: true });
  if (cancelled.status === 200) returned.add(1);
}

/** Compares nights and reservations with the rooms that there are, then removes what can be removed. */
export function teardown(hotels) {
  for (const propertyId of hotels.ids) {
    const booked = bookedByType(propertyId);
    for (const { roomType, totalRooms, bookedRooms, availableRooms } of cells(propertyId, hotels.today)) {
      const reservations = booked[roomType] || 0;
      const isRight =
        reservations <= totalRooms && reservations === bookedRooms && bookedRooms + availableRooms === totalRooms;
      if (!isRight) oversold.add(Math.max(1, reservations - totalRooms));
      check(reservations, { 'no room is sold twice': () => isRight });
    }
  }
  closeHotels(hotels);
}

/** Nights of all types, of one date. */
function cells(propertyId, today) {
  const date = day(today, NIGHT);
  const query = `property_id=${propertyId}&start_date=${date}&end_date=${date}`;
  const [answer] = prepare([{ method: 'GET', url: `${TENANT_PATHS}/availability?${query}` }]);
  return answer.json('items');
}

/** Confirmed reservations of a property, which has no others than those of the sale. */
function bookedByType(propertyId) {
  const count = {};
  for (let cursor = ''; ;) {
    const query = `propertyId=${propertyId}&status=CONFIRMED&limit=${PAGE}${cursor}`;
    const [answer] = prepare([{ method: 'GET', url: `${RESERVATIONS}?${query}` }]);
    for (const { stayDetails } of answer.json('items'))
      count[stayDetails.roomType] = (count[stayDetails.roomType] || 0) + 1;
    const next = answer.json('nextCursor');
    if (!next) return count;
    cursor = `&cursor=${encodeURIComponent(next)}`;
  }
}
