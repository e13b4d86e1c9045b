import { DEV_CLOCK, prepare, RATES, TENANT_PATHS } from './service.js';

const DAY_MS = 86_400_000;
const WEEK = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'];
const ROOM_TYPES = { STD: 90, DLX: 140, STE: 220 };

/** Nights from today on that have prices. */
export const PRICED_NIGHTS = 365;
/** Enough rooms of each type that a run of minutes does not sell out. */
const ROOMS_OF_A_TYPE = 500;

/**
 * Creates hotels for a run, so that any service can be tested, with prices for a year; their day rolls at midnight UTC.
 * @param rooms counted and numbered rooms of each type; by default there are many, without numbers
 * @returns data that `setup()` passes to the iterations
 */
export function openHotels(count, rooms) {
  const today = serviceToday();
  const run = Date.now().toString(36);
  const ids = Array.from({ length: count }, (_, n) => `k6-${run}-${n}`);
  const types = Object.entries(ROOM_TYPES);
  const each = (requests) => prepare(ids.flatMap((propertyId) => requests(propertyId)));
  each((propertyId) => [{ method: 'POST', url: `${TENANT_PATHS}/properties`, body: propertyBody(propertyId) }]);
  each((propertyId) =>
    types.map(([roomType]) => ({
      method: 'POST',
      url: `${TENANT_PATHS}/properties/${propertyId}/room-types`,
      body: roomTypeBody(roomType, rooms),
    })),
  );
  each((propertyId) =>
    types.map(([roomType, price]) => ({
      method: 'PUT',
      url: `${RATES}/base`,
      body: priceBody(propertyId, roomType, price, today),
    })),
  );
  each((propertyId) => types.flatMap(([roomType]) => roomBodies(propertyId, roomType, rooms)));
  return { ids, today };
}

function propertyBody(propertyId) {
  const policies = { taxPercent: 6, feePerNight: 2, nightAuditHour: 0 };
  const metadata = { currency: 'EUR', timezone: 'UTC', policies };
  return { propertyId, name: `House ${propertyId}`, propertyType: 'HOTEL', metadata };
}

function roomTypeBody(roomType, totalRooms = ROOMS_OF_A_TYPE) {
  return { roomType, name: `Type ${roomType}`, maxAdults: 3, maxChildren: 2, maxGuests: 4, totalRooms };
}

function priceBody(propertyId, roomType, rate, today) {
  const rates = WEEK.map((dayOfWeek) => ({ dayOfWeek, rate }));
  return { propertyId, roomType, effectiveDate: day(today, 0), endDate: day(today, PRICED_NIGHTS - 1), rates };
}

function roomBodies(propertyId, roomType, rooms = 0) {
  return Array.from({ length: rooms }, (_, n) => ({
    method: 'POST',
    url: `${TENANT_PATHS}/properties/${propertyId}/rooms`,
    body: { roomNumber: `${roomType}-${n + 1}`, roomType, floor: 1 + Math.floor(n / 20) },
  }));
}

/** Deletes the hotels; one with reservations to come stays (409). */
export function closeHotels({ ids }) {
  prepare(ids.map((id) => ({ method: 'DELETE', url: `${TENANT_PATHS}/properties/${id}`, expected: [200, 409] })));
}

/**
 * Milliseconds at midnight of the service's today: a development clock may have moved, other services have none to
 * query.
 */
function serviceToday() {
  const [clock] = prepare([{ method: 'GET', url: DEV_CLOCK, expected: [200, 401, 403, 404] }]);
  const now = clock.status === 200 ? Date.parse(clock.json('now')) : Date.now();
  return now - (now % DAY_MS);
}

/** The date `n` nights from the hotels' today. */
export function day(today, n) {
  return new Date(today + n * DAY_MS).toISOString().slice(0, 10);
}

/** Hotel, room type and dates of the n-th request: consecutive ones differ. */
export function stayOf({ ids, today }, n) {
  const types = Object.keys(ROOM_TYPES);
  const from = 10 + ((n * 7) % (PRICED_NIGHTS - 40));
  const nights = 1 + (n % 4);
  return {
    propertyId: ids[n % ids.length],
    roomType: types[Math.floor(n / ids.length) % types.length],
    checkIn: day(today, from),
    checkOut: day(today, from + nights),
    /** One night more, for extending the stay. */
    later: day(today, from + nights + 1),
  };
}

/** A unique guest. */
export function guest(n) {
  return { firstName: 'Load', lastName: `Tester ${n}`, email: `k6-${Date.now().toString(36)}-${n}@example.com` };
}

/** Body of a create; paid with a card unless `more` says otherwise. */
export function wish({ propertyId, roomType, checkIn, checkOut }, n, more = {}) {
  return {
    propertyId,
    guestInfo: guest(n),
    stayDetails: { checkIn, checkOut, adults: 2, roomType },
    paymentDetails: CARD,
    ...more,
  };
}

export const CARD = { method: 'CREDIT_CARD', cardToken: 'tok_visa' };
