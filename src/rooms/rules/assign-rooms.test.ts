import fc from 'fast-check';
import { deepStrictEqual as same } from 'node:assert';
import t from 'tap';

import { inCiOrNightly } from '../../../test/loop/nightly.ts';
import { LOYALTY_TIERS } from '../../guests/rules/guest.ts';
import { stepsUp } from '../../guests/rules/loyalty.ts';
import { Random } from '../../kernel/rules/random.ts';
import {
  inAnotherOrder,
  canPlaceAll,
  doubled,
  type RoomProperty,
  room,
  packedProperty,
  smallProperty,
  stay,
  TODAY,
} from '../../testing/room-properties.ts';
import { arrivalsDue, assignRooms, type RoomAssignments } from './assign-rooms.ts';
import { type PlanRoom, type PlanStay, RoomPlan } from './room-plan.ts';
import { wishesOf } from './room-wishes.ts';

const none = (): string[] => [];
const dearer = ({ roomType }: PlanStay): string[] => (roomType === 'STD' ? ['DLX', 'STE'] : ['STE']);

function assign({ rooms, stays }: RoomProperty, betterTypes: (stay: PlanStay) => string[] = none): RoomAssignments {
  const plan = RoomPlan.of(rooms, stays);
  return assignRooms(plan, arrivalsDue(plan, TODAY), { today: TODAY, betterTypes });
}

/** The stays after the assignments. */
function after({ stays }: RoomProperty, { assignments, unassigned }: RoomAssignments): PlanStay[] {
  const given = new Map(assignments.map((one) => [one.reservationId, one]));
  const without = new Set(unassigned.map(({ reservationId }) => reservationId));
  return stays.map((one) => {
    if (without.has(one.reservationId)) return { ...one, roomNumber: undefined };
    const { roomNumber = one.roomNumber, roomType = one.roomType } = given.get(one.reservationId) ?? {};
    return { ...one, roomNumber, roomType };
  });
}

const roomsOf = (property: RoomAssignments): Record<string, string> =>
  Object.fromEntries(property.assignments.map(({ reservationId, roomNumber }) => [reservationId, roomNumber]));

const unassigned = (property: RoomAssignments): string[] =>
  property.unassigned.map(({ reservationId }) => reservationId);

const hasRoom = ({ rooms }: RoomProperty, { roomNumber }: PlanStay): boolean =>
  rooms.some((one) => one.roomNumber === roomNumber && one.status !== 'OUT_OF_ORDER');

/** Result of an exhaustive search in one type: who gets a room, in the order of priority. */
function exactly(
  property: RoomProperty,
  type: string,
): { rooms: PlanRoom[]; standing: PlanStay[]; housed: PlanStay[] } {
  const rooms = property.rooms.filter(({ roomType }) => roomType === type);
  const inType = (one: PlanStay): boolean => rooms.some(({ roomNumber }) => roomNumber === one.roomNumber);
  const standing = property.stays.filter((one) => inType(one) && !isMovable(property, one, type));
  const open = property.stays.filter((one) => isMovable(property, one, type));
  const due = open.filter((one) => isDue(property, one)).sort(byRight);
  const rest = open.filter((one) => !isDue(property, one));
  const later = rest.filter((one) => !hasRoom(property, one)).sort((a, b) => a.checkIn - b.checkIn || byRight(a, b));
  const housed = rest.filter((one) => hasRoom(property, one));
  for (const one of [...due, ...later]) if (canPlaceAll(rooms, standing, [...housed, one])) housed.push(one);
  return { rooms, standing, housed };
}

/** Stays of a type that have not arrived and are not fixed to a room by hand, nor to one of another type. */
function isMovable(property: RoomProperty, one: PlanStay, type: string): boolean {
  if (one.status !== 'CONFIRMED' || one.checkOut <= TODAY || one.roomType !== type) return false;
  if (one.roomNumber !== undefined && one.fixed) return false;
  const has = property.rooms.find(({ roomNumber }) => roomNumber === one.roomNumber);
  return !hasRoom(property, one) || has?.roomType === type;
}

/** Stays without a room that arrive by tomorrow, and stays whose room is out of order. */
function isDue(property: RoomProperty, one: PlanStay): boolean {
  return !hasRoom(property, one) && (one.roomNumber !== undefined || one.checkIn <= TODAY + 1);
}

function byRight(a: PlanStay, b: PlanStay): number {
  const rank = (one: PlanStay): number => LOYALTY_TIERS.indexOf(one.tier);
  const nights = (one: PlanStay): number => one.checkOut - one.checkIn;
  return rank(b) - rank(a) || nights(b) - nights(a) || (a.reservationId < b.reservationId ? -1 : 1);
}

const RUNS = { numRuns: inCiOrNightly(1_000, 10_000) };

void t.test('no two stays have a room on a night, and none has one that is out of order', async () => {
  fc.assert(
    fc.property(smallProperty, (property) => {
      const answer = assign(property, dearer);
      same(doubled(after(property, answer)), []);
      for (const { roomNumber } of answer.assignments)
        if (!hasRoom(property, { roomNumber } as PlanStay)) throw new Error(`${roomNumber} is out of order`);
    }),
    RUNS,
  );
});

void t.test('guests in house and rooms assigned by hand stay as they are', async () => {
  fc.assert(
    fc.property(smallProperty, (property) => {
      const { assignments, unassigned } = assign(property, dearer);
      const touched = new Set([...assignments, ...unassigned].map(({ reservationId }) => reservationId));
      for (const one of property.stays)
        if (
          one.roomNumber !== undefined &&
          (one.fixed || one.status === 'CHECKED_IN') &&
          touched.has(one.reservationId)
        )
          throw new Error(`${one.reservationId} moved`);
    }),
    RUNS,
  );
});

void t.test('every stay that can have one room for all nights has one: by loyalty, then length of stay', async () => {
  fc.assert(
    fc.property(smallProperty, (property) => {
      const answer = assign(property);
      const stays = after(property, answer);
      for (const type of ['STD', 'DLX']) {
        const due = property.stays.filter((one) => isMovable(property, one, type) && isDue(property, one));
        const { housed } = exactly(property, type);
        const expected = due.filter((one) => housed.includes(one)).map(({ reservationId }) => reservationId);
        const ids = new Set(due.map(({ reservationId }) => reservationId));
        const found = stays
          .filter((one) => ids.has(one.reservationId) && hasRoom(property, one))
          .map(({ reservationId }) => reservationId);
        same(found.toSorted(), expected.toSorted());
      }
    }),
    RUNS,
  );
});

void t.test('stays to come keep every room that they could have had, without a move', async () => {
  fc.assert(
    fc.property(smallProperty, (property) => {
      const stays = after(property, assign(property, dearer));
      for (const type of ['STD', 'DLX']) {
        const { rooms, housed } = exactly(property, type);
        const now = new Map(stays.map((one) => [one.reservationId, one]));
        const waiting = housed
          .map((one) => now.get(one.reservationId)!)
          .filter((one) => one.roomNumber === undefined);
        const standing = stays.filter((one) => one.roomNumber !== undefined);
        if (!canPlaceAll(rooms, standing, waiting)) throw new Error(`${type}: a stay to come would have to move`);
      }
    }),
    RUNS,
  );
});

void t.test('when one room for each stay is possible, every arrival has one and every later stay can', async () => {
  fc.assert(
    fc.property(packedProperty, (property) => {
      const answer = assign(property);
      same(answer.unassigned, []);
      const stays = after(property, answer);
      same(doubled(stays), []);
      const waiting = stays.filter((one) => one.roomNumber === undefined);
      const standing = stays.filter((one) => one.roomNumber !== undefined);
      if (!canPlaceAll(property.rooms, standing, waiting)) throw new Error('a stay to come would have to move');
    }),
    RUNS,
  );
});

void t.test('no stay moves when all find a room without', async () => {
  fc.assert(
    fc.property(smallProperty, (property) => {
      const moved = assign(property).assignments.filter(({ previousRoomNumber }) => previousRoomNumber !== undefined);
      if (moved.length === 0) return;
      const types = new Set(moved.map(({ roomType }) => roomType));
      for (const type of types) {
        const { rooms, housed } = exactly(property, type);
        const standing = property.stays.filter((one) => one.roomNumber !== undefined && hasRoom(property, one));
        const rest = housed.filter((one) => !standing.includes(one));
        const ofType = moved.filter((one) => one.roomType === type);
        const fled = ofType.every(({ reservationId }) => rest.some((one) => one.reservationId === reservationId));
        if (!fled && canPlaceAll(rooms, standing, rest)) throw new Error(`${type}: moved without need`);
      }
    }),
    RUNS,
  );
});

void t.test('an upgrade goes as far as the loyalty of its guest', async () => {
  fc.assert(
    fc.property(smallProperty, (property) => {
      const stays = new Map(property.stays.map((one) => [one.reservationId, one]));
      for (const { reservationId, roomType, upgraded } of assign(property, dearer).assignments) {
        const booked = stays.get(reservationId)!;
        const steps = dearer(booked).indexOf(roomType) + 1;
        if (upgraded !== steps > 0 || steps > stepsUp(booked.tier)) throw new Error(`${reservationId}: ${steps} up`);
      }
    }),
    RUNS,
  );
});

void t.test('the same property gives the same answer, in any order of its stays', async () => {
  fc.assert(
    fc.property(smallProperty, fc.infiniteStream(fc.nat()), (property, order) => {
      same(assign(inAnotherOrder(property, order), dearer), assign(property, dearer));
    }),
    RUNS,
  );
});

void t.test(
  'the last room goes to the more loyal guest, then to the longer stay, then to the lower id',
  async (t) => {
    const lastFor = (...stays: PlanStay[]): RoomAssignments => assign({ rooms: [room('101')], stays });
    t.same(roomsOf(lastFor(stay('a', 1, 9), stay('b', 1, 1, { tier: 'SILVER' }))), { b: '101' });
    t.same(roomsOf(lastFor(stay('a', 1, 2), stay('b', 1, 3))), { b: '101' });
    t.same(lastFor(stay('b', 1, 2), stay('a', 1, 2)), {
      assignments: [{ reservationId: 'a', roomNumber: '101', roomType: 'STD', upgraded: false }],
      unassigned: [{ reservationId: 'b', reason: 'NO_ROOM_LEFT' }],
    });
  },
);

void t.test('a room that is being left or made up will do, one out of order will not', async (t) => {
  const rooms = [room('101', { status: 'OCCUPIED' }), room('102', { status: 'OUT_OF_ORDER' })];
  const leaving = stay('in', -2, 3, { status: 'CHECKED_IN', roomNumber: '101' });
  const answer = assign({ rooms, stays: [leaving, stay('a', 1, 1), stay('b', 1, 1)] });
  t.same(roomsOf(answer), { a: '101' });
  t.same(unassigned(answer), ['b']);
});

void t.test('an arrival leaves the room free from which a stay to come would have to move', async (t) => {
  const rooms = [room('101'), room('102')];
  const fixed = stay('fixed', 4, 2, { roomNumber: '101', fixed: true });
  const stays = [fixed, stay('a', 1, 2)];
  t.same(roomsOf(assign({ rooms, stays })), { a: '102' });
  t.same(roomsOf(assign({ rooms, stays: [...stays, stay('later', 2, 4)] })), { a: '101' });
});

void t.test('an arrival fills a gap, else it leaves the longest', async (t) => {
  const by = (id: string, roomNumber: string, from: number): PlanStay =>
    stay(id, from, 1, { roomNumber, fixed: true });
  const rooms = [room('101'), room('102'), room('103')];
  const stays = [by('x', '101', 4), by('y', '102', 3), by('z', '103', 6)];
  t.same(roomsOf(assign({ rooms, stays: [...stays, stay('a', 1, 2)] })), { a: '102' });
  t.same(roomsOf(assign({ rooms, stays: [...stays, stay('a', 1, 1)] })), { a: '103' });
});

void t.test('stays that have not arrived move when an arrival would go without', async (t) => {
  const rooms = [room('101'), room('102')];
  const stays = [
    stay('in', -1, 2, { status: 'CHECKED_IN', roomNumber: '101' }),
    stay('kept', 3, 2, { roomNumber: '101' }),
    stay('late', 5, 2, { roomNumber: '102', fixed: true }),
    stay('early', 2, 1, { roomNumber: '102' }),
  ];
  const { assignments } = assign({ rooms, stays: [...stays, stay('new', 1, 3)] });
  t.same(assignments, [
    { reservationId: 'new', roomNumber: '101', roomType: 'STD', upgraded: false },
    { reservationId: 'kept', roomNumber: '102', roomType: 'STD', upgraded: false, previousRoomNumber: '101' },
  ]);
});

void t.test('a stay whose room went out of order gets another, or is reported without one', async (t) => {
  const rooms = [room('101', { status: 'OUT_OF_ORDER' }), room('102')];
  const stays = [stay('a', 5, 2, { roomNumber: '101' }), stay('b', 6, 2, { roomNumber: '101', fixed: true })];
  t.same(assign({ rooms, stays }).assignments, [
    { reservationId: 'a', roomNumber: '102', roomType: 'STD', upgraded: false, previousRoomNumber: '101' },
  ]);
  const taken = stay('in', 0, 9, { roomNumber: '102', status: 'CHECKED_IN' });
  t.same(unassigned(assign({ rooms, stays: [...stays, taken] })), ['a']);
});

void t.test('wishes decide between rooms that fit alike, the more loyal guest first', async (t) => {
  const rooms = [room('101'), room('501', { floor: 5 }), room('502', { floor: 5, features: ['KING'] })];
  const high = { wishes: wishesOf([], { floorPreference: 'HIGH' }) };
  const king = { wishes: wishesOf([], { bedType: 'KING', floorPreference: 'LOW' }) };
  const stays = [stay('a', 1, 1, high), stay('b', 1, 1, { ...king, tier: 'SILVER' }), stay('c', 1, 1)];
  t.same(roomsOf(assign({ rooms, stays })), { b: '502', a: '501', c: '101' });
});

void t.test('members are upgraded by their tier, and never into a room that its own type needs', async (t) => {
  const rooms = [room('201', { roomType: 'DLX' }), room('301', { roomType: 'STE' })];
  const tiers = (...all: PlanStay['tier'][]): PlanStay[] =>
    all.map((tier, index) => stay(`${tier}${index}`, 1, 2, { tier }));
  t.same(roomsOf(assign({ rooms, stays: tiers('NONE', 'SILVER') }, dearer)), { SILVER1: '201' });
  t.same(roomsOf(assign({ rooms, stays: tiers('SILVER', 'SILVER', 'GOLD') }, dearer)), { GOLD2: '201' });
  t.same(roomsOf(assign({ rooms, stays: tiers('GOLD', 'GOLD') }, dearer)), { GOLD0: '201', GOLD1: '301' });
  const own = stay('own', 2, 4, { roomType: 'DLX' });
  t.same(roomsOf(assign({ rooms, stays: [...tiers('SILVER'), own] }, dearer)), {});
});

/** A property that sells by counts only: bookings, cancellations and overstays, day after day. */
function* daysOf(seed: number): Iterable<{ plan: RoomPlan; today: number; answer: RoomAssignments }> {
  const random = new Random(seed);
  const rooms = Array.from({ length: 12 }, (_, index) => room(String(101 + index)));
  let plan = RoomPlan.of(rooms, []);
  const isLeft = (from: number, to: number): boolean => {
    for (let day = from; day < to; day++)
      if ([...plan.stays].filter((one) => one.checkIn <= day && day < one.checkOut).length >= rooms.length)
        return false;
    return true;
  };
  for (let today = TODAY; today < TODAY + 40; today++) {
    for (let attempt = 0; attempt < 20; attempt++) {
      const from = today - TODAY + random.between(0, 12);
      const one = stay(`r${today}-${attempt}`, from, random.between(1, 7), { tier: random.pick(LOYALTY_TIERS) });
      if (isLeft(one.checkIn, one.checkOut)) plan = plan.with([one]);
    }
    for (const one of plan.stays) {
      if (one.status === 'CONFIRMED' && random.chance(0.02)) plan = plan.with([], [one.reservationId]);
      const more = { ...one, checkOut: one.checkOut + 1 };
      if (one.status === 'CHECKED_IN' && random.chance(0.2) && isLeft(one.checkOut, more.checkOut))
        plan = plan.with([more]);
    }
    const answer = assignRooms(plan, arrivalsDue(plan, today), { today, betterTypes: none });
    yield { plan, today, answer };
    for (const { reservationId, roomNumber } of answer.assignments)
      plan = plan.with([{ ...plan.stay(reservationId)!, roomNumber }]);
    for (const one of plan.stays)
      if (one.checkOut === today + 1) plan = plan.with([], [one.reservationId]);
      else if (one.checkIn === today) plan = plan.with([{ ...one, status: 'CHECKED_IN' }]);
  }
}

void t.test(
  'a property that sells as many rooms as it has never lacks one, and moves no guest in house',
  async () => {
    fc.assert(
      fc.property(fc.integer({ min: 0 }), (seed) => {
        for (const { plan, today, answer } of daysOf(seed)) {
          same(answer.unassigned, []);
          for (const { reservationId } of answer.assignments)
            same(plan.stay(reservationId)!.status, 'CONFIRMED', `${reservationId} moved on ${today}`);
          same(doubled(after({ rooms: [], stays: [...plan.stays] }, answer)), []);
        }
      }),
      { numRuns: 20 },
    );
  },
);
