import { Random } from '../../src/kernel/rules/random.ts';
import { advanceClock, must, serviceClock } from '../../test/blackbox/property.ts';
import type { Service } from '../../test/blackbox/service.ts';

/** Demo property of the pictures. */
export const PROPERTY = 'harbor-hotel';
/** Days since the property opened: time travel needs some. */
const DAYS = 5;
const BOOKINGS_A_DAY = 85;
/** Concurrent bookings. */
const LANES = 4;
const DAY_S = 86_400;
/** Share of the last day's arrivals and departures that are done: the rest is open for the desk. */
const DONE_TODAY = 0.3;
/** Share of later stays of this type with an assigned room; it is the first of the chart. */
const ROOM_ASSIGNED = { roomType: 'DLX', part: 0.9, rooms: Array.from({ length: 20 }, (_, n) => `${501 + n}`) };

const FIRST =
  'Ada Grace Alan Barbara Edsger Margaret Donald Radia Tony Frances Niklaus Karen John Lynn Ken Jean'.split(' ');
const LAST =
  'Lovelace Hopper Turing Liskov Dijkstra Hamilton Knuth Perlman Hoare Allen Wirth Jones Backus Conway'.split(' ');
const TYPES = ['STD', 'STD', 'STD', 'DLX', 'DLX', 'STE'] as const;

type Stay = { reservationId: string; roomType: string; checkIn: string; checkOut: string; isIn: boolean };

/** Plays some days of the demo property: bookings, arrivals, departures. The same ones each time, on other dates. */
export async function liveThroughDays(service: Service): Promise<void> {
  const random = new Random(7);
  const stays: Stay[] = [];
  for (let day = 0; day < DAYS; day += 1) {
    if (day > 0) must(await advanceClock(service, DAY_S), 200);
    const { now } = await serviceClock(service);
    const today = now.slice(0, 10);
    await book(service, { today, random, stays });
    const later = stays.filter(({ checkIn }) => checkIn > today).toSorted((a, b) => (a.checkIn < b.checkIn ? -1 : 1));
    const isLast = day === DAYS - 1;
    if (isLast) await giveRooms(service, later, random);
    const isDone = (): boolean => !isLast || random.next() < DONE_TODAY;
    for (const stay of stays.filter(({ isIn, checkOut }) => isIn && checkOut === today && isDone()))
      await service.reservations('POST', `/${stay.reservationId}/checkout`, { body: {} });
    for (const stay of stays.filter(({ isIn, checkIn }) => !isIn && checkIn === today && isDone())) {
      const body = { identificationVerified: true, keyCards: 1 };
      stay.isIn = (await service.reservations('POST', `/${stay.reservationId}/checkin`, { body })).status === 200;
    }
  }
}

async function giveRooms(service: Service, stays: readonly Stay[], random: Random): Promise<void> {
  for (const { reservationId } of stays.filter(({ roomType }) => roomType === ROOM_ASSIGNED.roomType)) {
    if (random.next() > ROOM_ASSIGNED.part) continue;
    for (const roomNumber of ROOM_ASSIGNED.rooms) {
      const { status } = await service.reservations('PUT', `/${reservationId}/room`, { body: { roomNumber } });
      // A room of another stay: the next one is tried; unconfirmed stays get none.
      if (status === 200) break;
    }
  }
}

async function book(
  service: Service,
  { today, random, stays }: { today: string; random: Random; stays: Stay[] },
): Promise<void> {
  const bodies = Array.from({ length: BOOKINGS_A_DAY }, () => bookingOf(today, random)).values();
  const lane = async (): Promise<void> => {
    for (const body of bodies) {
      const answer = await service.reservations<{ reservationId: string }>('POST', '', { body });
      // The cheapest rooms of a night may be sold out.
      if (answer.status === 409) continue;
      const { reservationId } = must(answer, 201).json;
      stays.push({ reservationId, ...body.stayDetails, isIn: false });
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

function bookingOf(today: string, random: Random) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random.next() * list.length)]!;
  // Most arrive soon, some later.
  const ahead = Math.floor(random.next() ** 2 * 30);
  const nights = 1 + Math.floor(random.next() * 4);
  const firstName = pick(FIRST);
  const lastName = pick(LAST);
  const email = `${firstName}.${lastName}.${Math.floor(random.next() * 1e6)}@example.com`.toLowerCase();
  const hasPaid = random.next() < 0.95;
  return {
    propertyId: PROPERTY,
    guestInfo: { firstName, lastName, email, phone: '+351 21 000 0000' },
    stayDetails: {
      checkIn: addDays(today, ahead),
      checkOut: addDays(today, ahead + nights),
      adults: 2,
      roomType: pick(TYPES),
    },
    ...(hasPaid && { paymentDetails: { method: 'CREDIT_CARD', cardToken: 'tok_visa' } }),
  };
}

function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_S * 1_000).toISOString().slice(0, 10);
}
