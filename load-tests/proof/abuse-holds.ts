import type { Answer } from '../../test/blackbox/http.ts';
import { someone } from '../../test/blackbox/property.ts';
import type { Role, Service } from '../../test/blackbox/service.ts';
import type { Cells } from '../../test/blackbox/shapes.ts';

const PROPERTY = 'harbor-hotel';
/** Rooms of each type of the demo property. */
const ROOMS = { STD: 60, DLX: 40, STE: 20 };
const ALL_ROOMS = Object.values(ROOMS).reduce((sum, rooms) => sum + rooms, 0);
const FROM = 40;
const NIGHTS = 30;
const ROOMS_OF_A_HOLD = 10;
const UNPAID_CREATES = 1_000;
const AT_ONCE = 20;
/** Limits of an installed service (`maxHeldPercent`, `HELD_ROOM_NIGHTS_SUBJECT`, `OPEN_HOLDS_SUBJECT`). */
const BOUNDS = { percent: 30, roomNights: 1_000, holds: 100 };

type Taken = { holds: number; roomNights: number; statuses: Record<string, number>; ms: number };
type Try = { rooms: number; nights: number; send: () => Promise<Answer<unknown>> };

/**
 * A client with the lowest role that may sell holds as much as possible of the demo property without paying; then other
 * clients do the same with unpaid reservations. Their rooms are limited, and a client that pays for the same nights
 * gets a room.
 * @returns whether it was so
 */
export async function proveHoldBounds(service: Service): Promise<boolean> {
  const property = attackOn(service);
  const staff = await taken(property.everyRoomHeld('STAFF'));
  report(`STAFF holds all ${ALL_ROOMS} rooms for ${NIGHTS} nights (${ALL_ROOMS * NIGHTS} room-nights)`, staff);
  const manager = await taken(property.unpaidCreates('MANAGER'));
  report(`MANAGER sends ${UNPAID_CREATES} unpaid creates of ${NIGHTS} nights`, manager);
  const short = await taken(property.unpaidCreates('ADMIN', 1));
  report(`ADMIN sends ${UNPAID_CREATES} unpaid creates of 1 night`, short);
  const isBounded = [staff, manager, short].every(
    ({ holds, roomNights }) => holds <= BOUNDS.holds && roomNights <= BOUNDS.roomNights,
  );
  console.log(`bound of a subject: ${BOUNDS.holds} holds, ${BOUNDS.roomNights} room-nights`);
  const held = await property.maxHeld();
  for (const [type, { most, limit }] of Object.entries(held))
    console.log(
      `${type}: ${most} of ${ROOMS[type as keyof typeof ROOMS]} rooms held at most on a night, bound ${limit}`,
    );
  const isShared = Object.values(held).every(({ most, limit }) => most <= limit);
  const paid = await Promise.all(Object.keys(ROOMS).map((type) => property.paid('STAFF', type)));
  console.log(`paid bookings of the same nights at that moment: ${paid.map(({ status }) => status).join(', ')}`);
  return isBounded && isShared && paid.every(({ status }) => status === 201);
}

function attackOn(service: Service) {
  const day = (n: number): string => new Date(Date.now() + n * 86_400_000).toISOString().slice(0, 10);
  const nights = { checkIn: day(FROM), checkOut: day(FROM + NIGHTS) };
  const create = (role: Role, stayDetails: Record<string, unknown>, card?: string) =>
    service.reservations('POST', '', {
      role,
      body: {
        propertyId: PROPERTY,
        guestInfo: someone(),
        stayDetails: { ...stayDetails, adults: 1 },
        ...(card !== undefined && { paymentDetails: { method: 'CREDIT_CARD', cardToken: card } }),
      },
    });
  const hold = (role: Role, roomType: string, rooms: number): Try => ({
    rooms,
    nights: NIGHTS,
    send: () =>
      service.reservations('POST', '/holds', { role, body: { propertyId: PROPERTY, roomType, rooms, ...nights } }),
  });
  const types = Object.entries(ROOMS);
  return {
    /** By tens, and then, when no ten can be held, one by one. */
    everyRoomHeld: (role: Role): Try[] =>
      [ROOMS_OF_A_HOLD, 1].flatMap((rooms) =>
        types.flatMap(([type, all]) => Array.from({ length: all / rooms }, () => hold(role, type, rooms))),
      ),
    unpaidCreates: (role: Role, length = NIGHTS): Try[] =>
      Array.from({ length: UNPAID_CREATES }, (_, n) => {
        const from = FROM + (n % (NIGHTS - length + 1));
        const stay = { roomType: types[n % types.length]![0], checkIn: day(from), checkOut: day(from + length) };
        return { rooms: 1, nights: length, send: () => create(role, stay) };
      }),
    paid: (role: Role, roomType: string) => create(role, { roomType, ...nights }, 'tok_visa'),
    async maxHeld(): Promise<Record<string, { most: number; limit: number }>> {
      const range = `start_date=${nights.checkIn}&end_date=${day(FROM + NIGHTS - 1)}`;
      const path = `/availability?property_id=${PROPERTY}&${range}`;
      const { json } = await service.tenants<Cells>('GET', path, { role: 'STAFF' });
      return Object.fromEntries(
        types.map(([type, rooms]) => {
          const held = json.items.filter(({ roomType }) => roomType === type).map(({ heldRooms }) => heldRooms);
          if (held.length !== NIGHTS) throw new Error(`${held.length} nights of ${type} instead of ${NIGHTS}`);
          return [type, { most: Math.max(...held), limit: Math.ceil((rooms * BOUNDS.percent) / 100) }];
        }),
      );
    },
  };
}

/** Holds everything, several at once, as fast as possible; returns the result. */
async function taken(tries: readonly Try[]): Promise<Taken> {
  const sums: Taken = { holds: 0, roomNights: 0, statuses: {}, ms: 0 };
  const began = performance.now();
  const left = tries[Symbol.iterator]();
  const one = async (): Promise<void> => {
    for (const { rooms, nights, send } of left) {
      const { status } = await send();
      sums.statuses[status] = (sums.statuses[status] ?? 0) + 1;
      if (status !== 201) continue;
      sums.holds += 1;
      sums.roomNights += rooms * nights;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return { ...sums, ms: Math.round(performance.now() - began) };
}

function report(what: string, { holds, roomNights, statuses, ms }: Taken): void {
  console.log(`${what}: got ${holds} holds, ${roomNights} room-nights in ${ms} ms, ${JSON.stringify(statuses)}`);
}
