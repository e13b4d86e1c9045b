import { advanceClock, BlackboxProperty, must, serviceClock } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import { pumpApart } from '../client/pump-apart.ts';
import { figuresText } from '../first/figures.ts';
import { NO_LIMITS } from '../first/hot-property.ts';

const ARRIVALS = 500;
const ROOMS = 620;
/** Every 20th room is accessible, and every 12th is closed for a night of the longer stays. */
const ACCESSIBLE_EACH = 20;
const CLOSED_EACH = 12;
const PROMISED_MS = 2_000;

/**
 * Rooms for 500 arrivals of one property at 14:00 of the day before, from the moment that the clock passes it until all
 * are committed, including other work due in that minute. With all rules: rooms differ, have doors and maintenances, and
 * stays have wishes; of five, two are one booking that wishes connecting rooms, and one in 25 needs an accessible room.
 */
export async function benchAssignment(): Promise<void> {
  const service = await Service.start(NO_LIMITS);
  try {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: ROOMS } });
    const rooms = `/properties/${property.propertyId}/rooms`;
    const maintenances = `/properties/${property.propertyId}/maintenances`;
    for (let n = 1; n <= ROOMS; n += 1) {
      must(await service.tenants('POST', rooms, { body: roomNo(n) }), 201);
      const leak = { from: property.day(5), to: property.day(5), kind: 'OUT_OF_ORDER', reason: 'leak' };
      if (n % CLOSED_EACH === 0)
        must(await service.tenants('POST', maintenances, { body: { roomNumber: `${n}`, ...leak } }), 201);
    }
    const { body, paths } = requestsOf(property);
    await pumpApart({
      port: Number(new URL(service.dev.reservationUrl).port),
      method: 'POST',
      connections: 16,
      seconds: 60,
      headers: {
        authorization: `Bearer ${service.token('demo', 'STAFF')}`,
        'x-tenant-id': 'demo',
        'content-type': 'application/json',
        'idempotency-key': 'assigned-{n}',
      },
      paths,
      body,
      // Every fourth is a booking of two rooms.
      requests: (ARRIVALS * 4) / 5,
    });
    await goTo(service, Date.parse(`${property.day(3)}T13:59:00Z`));
    const began = performance.now();
    await goTo(service, Date.parse(`${property.day(3)}T14:00:30Z`));
    const ms = Math.round(performance.now() - began);
    const stays = (await property.reservations()) as unknown as Wishing[];
    const given = new Set(
      stays.map(({ stayDetails }) => stayDetails.roomNumber).filter((number) => number !== 'TBA'),
    );
    const wished = stays.flatMap(({ roomWishes }) => roomWishes).length;
    const unmet = stays.flatMap(({ unmetWishes }) => unmetWishes).length;
    figuresText([
      {
        what: `rooms for ${ARRIVALS} arrivals with all rules (${PROMISED_MS} ms promised)`,
        value: `${ms} ms, ${given.size} have one, ${wished - unmet} of ${wished} wishes are met`,
      },
    ]);
  } finally {
    await service.remove();
  }
}

type Wishing = { stayDetails: { roomNumber: string }; roomWishes: unknown[]; unmetWishes: unknown[] };

/** A room with what guests wish; the first two of four have a door between them. */
function roomNo(n: number): Record<string, unknown> {
  const features = [n % 2 === 0 ? 'KING' : 'TWIN', ...(n % 3 === 0 ? ['VIEW'] : [])];
  const door = n % 4 === 2 ? { connectsTo: [`${n - 1}`] } : {};
  const plain = { roomNumber: `${n}`, roomType: 'DLX', floor: 1 + Math.floor(n / 100) };
  return { ...plain, features, accessible: n % ACCESSIBLE_EACH === 0, ...door };
}

/** Bodies in turns with their paths: three reservations, and a booking of two rooms with a door. */
function requestsOf(property: BlackboxProperty): { body: string[]; paths: string[] } {
  const guest = { firstName: 'Load', lastName: 'Tester {n}', email: 'assigned-{n}@example.com' };
  const wish = (kind: string, value: string, weight: number) => ({ kind, value, weight });
  const single = (nights: number, roomWishes: unknown[]): string =>
    JSON.stringify(property.wish({ from: 4, nights, guest, more: { roomWishes } }));
  const plain = [
    (n: number) => [wish('FEATURE', 'VIEW', 5 + n), wish('FLOOR', 'HIGH', 10)],
    (n: number) => [wish('BED_TYPE', 'KING', 5 + n), wish('FLOOR', 'LOW', 12)],
    (n: number) => [wish('FEATURE', 'VIEW', 20), wish('BED_TYPE', 'TWIN', n)],
  ];
  const { paymentDetails } = property.wish() as { paymentDetails: unknown };
  const pair = { roomType: 'DLX', adults: 2, roomWishes: [{ kind: 'CONNECTING', weight: 30 }] };
  const stayDetails = { checkIn: property.day(4), checkOut: property.day(6) };
  const booking = {
    propertyId: property.propertyId,
    guestInfo: guest,
    stayDetails,
    rooms: [pair, pair],
    paymentDetails,
  };
  const requests = [1, 2, 3, 4, 5].flatMap((turn) => [
    ...plain.map((wishes, n) => {
      const needs = turn === 5 && n === 0 ? [{ kind: 'ACCESSIBLE', required: true }] : [];
      return { path: '/api/v1/reservations', body: single(1 + n, [...needs, ...wishes(turn)]) };
    }),
    { path: '/api/v1/bookings', body: JSON.stringify(booking) },
  ]);
  return { body: requests.map((one) => one.body), paths: requests.map(({ path }) => path) };
}

async function goTo(service: Service, instant: number): Promise<void> {
  const by = (instant - Date.parse((await serviceClock(service)).now)) / 1_000;
  must(await advanceClock(service, Math.ceil(by)), 200);
}
