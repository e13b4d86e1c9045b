import fc from 'fast-check';
import { deepStrictEqual as same } from 'node:assert';
import t from 'tap';

import { inCiOrNightly } from '../../../test/loop/nightly.ts';
import { LOYALTY_TIERS } from '../../guests/rules/guest.ts';
import {
  inAnotherOrder,
  canPlaceAll,
  doubled,
  type RoomProperty,
  room,
  stay,
  TODAY,
  wishingProperty,
} from '../../testing/room-properties.ts';
import { arrivalsDue, assignRooms, type RoomAssignments } from './assign-rooms.ts';
import { connects } from './connecting-rooms.ts';
import { conflictsIn } from './room-conflicts.ts';
import { isClosedIn, type PlanRoom, type PlanStay, RoomPlan } from './room-plan.ts';
import { fitsStay, floorsOf, meetsWish, type RoomWish, wishesOf } from './room-wishes.ts';
import { nightsFromToday, othersIn } from './rooms-of-type.ts';

const dearer = ({ roomType }: PlanStay): string[] => (roomType === 'STD' ? ['DLX'] : []);
const none = (): string[] => [];

function assign({ rooms, stays }: RoomProperty, betterTypes: (stay: PlanStay) => string[] = none): RoomAssignments {
  const plan = RoomPlan.of(rooms, stays);
  return assignRooms(plan, arrivalsDue(plan, TODAY), { today: TODAY, betterTypes });
}

const wish = (kind: RoomWish['kind'], more: Partial<RoomWish> = {}): RoomWish => ({ kind, weight: 10, ...more });
const wishing = (...wishes: RoomWish[]): Pick<PlanStay, 'wishes'> => ({ wishes });
const ACCESSIBLE = wish('ACCESSIBLE', { required: true });

const roomsOf = ({ assignments }: RoomAssignments): Record<string, string> =>
  Object.fromEntries(assignments.map(({ reservationId, roomNumber }) => [reservationId, roomNumber]));
const unmetOf = ({ assignments }: RoomAssignments): Record<string, string[]> =>
  Object.fromEntries(
    assignments
      .filter(({ unmetWishes }) => unmetWishes)
      .map(({ reservationId, unmetWishes }) => [
        reservationId,
        unmetWishes!.map(({ kind, reason }) => `${kind} ${reason}`),
      ]),
  );

function after({ stays }: RoomProperty, { assignments }: RoomAssignments): PlanStay[] {
  const given = new Map(assignments.map((one) => [one.reservationId, one]));
  return stays.map((one) => ({ ...one, ...given.get(one.reservationId) }));
}

const RUNS = { numRuns: inCiOrNightly(700, 7_000) };

void t.test('no room is given twice, while it is closed, or to a stay that requires what it has not', async () => {
  fc.assert(
    fc.property(wishingProperty, (property) => {
      const answer = assign(property, dearer);
      const stays = after(property, answer);
      same(doubled(stays), []);
      const rooms = new Map(property.rooms.map((one) => [one.roomNumber, one]));
      const floors = floorsOf(property.rooms);
      const given = new Map(stays.map((one) => [one.reservationId, one]));
      for (const { reservationId, roomNumber } of answer.assignments) {
        const [one, its] = [given.get(reservationId)!, rooms.get(roomNumber)!];
        if (isClosedIn(its, nightsFromToday(one, TODAY))) throw new Error(`${roomNumber} is closed`);
        if (!fitsStay(its, one, floors))
          throw new Error(`${roomNumber} does not meet what ${reservationId} requires`);
      }
    }),
    RUNS,
  );
});

function byRight(a: PlanStay, b: PlanStay): number {
  const rank = (one: PlanStay): number => LOYALTY_TIERS.indexOf(one.tier);
  const nights = (one: PlanStay): number => one.checkOut - one.checkIn;
  return rank(b) - rank(a) || nights(b) - nights(a) || (a.reservationId < b.reservationId ? -1 : 1);
}

/** By trying everything, one type after the other: who gets a room, in the order of priority. */
function housed(property: RoomProperty): { due: string[]; canStill: (stays: readonly PlanStay[]) => boolean } {
  const floors = floorsOf(property.rooms);
  const due: string[] = [];
  const later: [PlanRoom[], PlanStay[]][] = [];
  for (const type of ['STD', 'DLX']) {
    const rooms = property.rooms.filter(({ roomType }) => roomType === type);
    const standing = property.stays.filter(({ roomNumber }) => rooms.some((one) => one.roomNumber === roomNumber));
    const open = property.stays.filter(
      (one) =>
        one.roomNumber === undefined && one.roomType === type && one.checkOut > TODAY && one.status === 'CONFIRMED',
    );
    const isDue = (one: PlanStay): boolean => one.checkIn <= TODAY + 1;
    const fit: PlanStay[] = [];
    const coming = open.filter((one) => !isDue(one)).sort((a, b) => a.checkIn - b.checkIn || byRight(a, b));
    for (const one of [...open.filter(isDue).sort(byRight), ...coming])
      if (canPlaceAll(rooms, standing, [...fit, one], floors)) fit.push(one);
    due.push(...fit.filter(isDue).map(({ reservationId }) => reservationId));
    later.push([rooms, fit.filter((one) => !isDue(one))]);
  }
  return {
    due,
    canStill: (stays) =>
      later.every(([rooms, coming]) =>
        canPlaceAll(
          rooms,
          stays.filter(({ roomNumber }) => roomNumber !== undefined),
          coming,
          floors,
        ),
      ),
  };
}

void t.test('wishes leave no stay without a room, and a stay to come has one that it can have', async () => {
  fc.assert(
    fc.property(wishingProperty, (property) => {
      const answer = assign(property);
      const { due, canStill } = housed(property);
      same(answer.assignments.map(({ reservationId }) => reservationId).toSorted(), due.toSorted());
      if (!canStill(after(property, answer))) throw new Error('a stay to come would have to move');
    }),
    RUNS,
  );
});

void t.test('as many stays have a room as without wishes that are not required', async () => {
  fc.assert(
    fc.property(wishingProperty, (property) => {
      const required = property.stays.map((one) => ({ ...one, wishes: one.wishes!.filter((its) => its.required) }));
      const without = assign({ ...property, stays: required }, dearer);
      same(assign(property, dearer).unassigned, without.unassigned);
    }),
    RUNS,
  );
});

void t.test('the same rooms and wishes give the same answer, in any order of rooms and stays', async () => {
  fc.assert(
    fc.property(wishingProperty, fc.infiniteStream(fc.nat()), (property, order) => {
      same(assign(inAnotherOrder(property, order), dearer), assign(property, dearer));
    }),
    RUNS,
  );
});

void t.test('the reason of an unmet wish is what the rooms were before the assignment', async () => {
  fc.assert(
    fc.property(wishingProperty, (property) => {
      const plan = RoomPlan.of(property.rooms, property.stays);
      const floors = floorsOf(property.rooms);
      const rooms = new Map(property.rooms.map((one) => [one.roomNumber, one]));
      for (const { reservationId, roomNumber, unmetWishes = [] } of assign(property, dearer).assignments) {
        const one = plan.stay(reservationId)!;
        const its = rooms.get(roomNumber)!;
        const expected = one.wishes!.flatMap(({ kind, value }) => {
          if (kind === 'CONNECTING' || meetsWish(its, { kind, value: value! }, floors)) return [];
          const met = property.rooms.filter(
            (other) => other.roomType === its.roomType && meetsWish(other, { kind, value: value! }, floors),
          );
          const open = met.filter((other) => !isClosedIn(other, nightsFromToday(one, TODAY)));
          const free = open.filter(
            (other) => othersIn(plan, other.roomNumber, one, TODAY).length === 0 && fitsStay(other, one, floors),
          );
          if (met.length === 0) return [`${kind} NO_SUCH_ROOM`];
          return [`${kind} ${open.length === 0 ? 'CLOSED' : free.length === 0 ? 'TAKEN' : 'OUTWEIGHED'}`];
        });
        const found = unmetWishes.filter(({ kind }) => kind !== 'CONNECTING');
        same(
          found.map(({ kind, reason }) => `${kind} ${reason}`),
          expected,
        );
      }
    }),
    RUNS,
  );
});

void t.test('a stay with one wish is not left beside a free room that meets it', async () => {
  fc.assert(
    fc.property(wishingProperty, ({ rooms, stays }) => {
      const due = stays.filter((one) => one.roomNumber !== undefined || one.checkIn <= TODAY + 1);
      const property = { rooms, stays: due };
      const answer = assign(property);
      const now = RoomPlan.of(rooms, after(property, answer));
      const floors = floorsOf(rooms);
      for (const { reservationId, unmetWishes } of answer.assignments) {
        const one = now.stay(reservationId)!;
        const [only, ...more] = one.wishes!;
        if (!unmetWishes || more.length > 0 || only!.kind === 'CONNECTING') continue;
        const better = rooms.find(
          (its) =>
            its.roomType === one.roomType &&
            meetsWish(its, only!, floors) &&
            !isClosedIn(its, nightsFromToday(one, TODAY)) &&
            othersIn(now, its.roomNumber, one, TODAY).length === 0,
        );
        if (better) throw new Error(`${better.roomNumber} is free for ${reservationId}`);
      }
    }),
    RUNS,
  );
});

void t.test('a stay that requires an accessible room gets one or none, and others get it last', async (t) => {
  const rooms = [room('101', { accessible: true }), room('102')];
  t.same(roomsOf(assign({ rooms, stays: [stay('a', 1, 5)] })), { a: '102' });
  const both = [stay('a', 1, 5, { tier: 'GOLD' }), stay('b', 1, 1, wishing(ACCESSIBLE))];
  t.same(roomsOf(assign({ rooms, stays: both })), { a: '102', b: '101' });
  t.same(roomsOf(assign({ rooms, stays: [stay('a', 1, 1), stay('b', 1, 1)] })), { a: '102', b: '101' });
  const later = stay('later', 3, 2, wishing(ACCESSIBLE));
  t.same(roomsOf(assign({ rooms, stays: [stay('a', 1, 4), stay('b', 1, 2), later] })), { a: '102', b: '101' });
  const taken = stay('in', 0, 3, { roomNumber: '101', status: 'CHECKED_IN' });
  t.same(assign({ rooms, stays: [taken, stay('b', 1, 1, wishing(ACCESSIBLE))] }), {
    assignments: [],
    unassigned: [{ reservationId: 'b', reason: 'NO_ACCESSIBLE_ROOM' }],
  });
  const full = stay('too', 0, 3, { roomNumber: '102', status: 'CHECKED_IN' });
  t.same(assign({ rooms, stays: [taken, full, stay('b', 1, 1, wishing(ACCESSIBLE))] }).unassigned, [
    { reservationId: 'b', reason: 'NO_ROOM_LEFT' },
  ]);
});

void t.test(
  'a stay leaves a room that no longer has what it requires; by hand it stays and is a conflict',
  async (t) => {
    const rooms = [room('101'), room('102', { accessible: true })];
    const needs = { roomNumber: '101', ...wishing(ACCESSIBLE) };
    const [moved] = assign({ rooms, stays: [stay('a', 3, 2, needs)] }).assignments;
    t.match(moved, { reservationId: 'a', roomNumber: '102', previousRoomNumber: '101' });
    const fixed = stay('a', 3, 2, { ...needs, fixed: true });
    t.same(assign({ rooms, stays: [fixed] }).assignments, []);
    const conflict = { roomType: 'STD', day: TODAY + 3, reservationIds: ['a'], roomNumber: '101' };
    t.same(conflictsIn(RoomPlan.of(rooms, [fixed]), TODAY), [{ ...conflict, reason: 'UNSUITABLE_ROOM' }]);
  },
);

void t.test('a stay that finds no accessible room is a conflict of its own', async (t) => {
  const needs = wishing(ACCESSIBLE);
  const plan = RoomPlan.of(
    [room('101', { accessible: true }), room('102'), room('103')],
    [stay('a', 1, 3, needs), stay('b', 0, 2, needs), stay('c', 1, 1)],
  );
  const conflict = { roomType: 'STD', day: TODAY + 1, reservationIds: ['b'], reason: 'NO_ACCESSIBLE_ROOM' };
  t.same(conflictsIn(plan, TODAY), [conflict]);
});

const PAIRED = [
  room('101'),
  room('102', { connectsTo: ['103'] }),
  room('103', { connectsTo: ['102'] }),
  room('104', { features: ['VIEW'] }),
];
const family = (more: Partial<PlanStay> = {}): Partial<PlanStay> => ({
  parties: ['family'],
  wishes: [wish('CONNECTING')],
  ...more,
});

void t.test('stays of one booking that wish it get connecting rooms', async (t) => {
  const others = [stay('x', 1, 9, { tier: 'GOLD' }), stay('y', 1, 9, { tier: 'GOLD' })];
  const rooms = { rooms: PAIRED, stays: [...others, stay('a', 1, 2, family()), stay('b', 1, 3, family())] };
  const given = roomsOf(assign(rooms));
  t.same(new Set([given['a'], given['b']]), new Set(['102', '103']));
  t.same(unmetOf(assign(rooms)), {});
  const strangers = [stay('a', 1, 2, family()), stay('b', 1, 3, family({ parties: ['other'] }))];
  t.same(unmetOf(assign({ rooms: PAIRED, stays: strangers })), {
    a: ['CONNECTING NO_SUCH_ROOM'],
    b: ['CONNECTING NO_SUCH_ROOM'],
  });
});

void t.test('a stay comes to the room that its partner has, and a heavier wish keeps them apart', async (t) => {
  const there = stay('a', 0, 3, { ...family(), roomNumber: '103', status: 'CHECKED_IN' });
  t.same(roomsOf(assign({ rooms: PAIRED, stays: [there, stay('b', 1, 2, family())] })), { b: '102' });
  const view = family({ wishes: [wish('CONNECTING'), wish('FEATURE', { value: 'VIEW', weight: 30 })] });
  const apart = assign({ rooms: PAIRED, stays: [there, stay('b', 1, 2, view)] });
  t.same(roomsOf(apart), { b: '104' });
  t.same(unmetOf(apart), { b: ['CONNECTING OUTWEIGHED'] });
  const taken = stay('c', 0, 3, { roomNumber: '102', status: 'CHECKED_IN' });
  t.same(unmetOf(assign({ rooms: PAIRED, stays: [there, taken, stay('b', 1, 2, family())] })), {
    b: ['CONNECTING TAKEN'],
  });
  const closed = PAIRED.map((one) =>
    one.roomNumber === '102' ? { ...one, closed: [{ from: TODAY + 2, to: TODAY + 3 }] } : one,
  );
  t.same(unmetOf(assign({ rooms: closed, stays: [there, stay('b', 1, 2, family())] })), { b: ['CONNECTING CLOSED'] });
});

void t.test('connecting rooms are not had by breaking what is required, or by a room that is closed', async (t) => {
  const there = stay('a', 0, 3, { ...family(), roomNumber: '103', status: 'CHECKED_IN' });
  const bath = wish('FEATURE', { value: 'BATH', required: true });
  const both = family({ wishes: [wish('CONNECTING', { weight: 30 }), bath] });
  const rooms = PAIRED.map((one) => (one.roomNumber === '101' ? { ...one, features: ['BATH'] } : one));
  const needs = assign({ rooms, stays: [there, stay('b', 1, 2, both)] });
  t.same(roomsOf(needs), { b: '101' });
  t.same(unmetOf(needs), { b: ['CONNECTING TAKEN'] });
  // Who has the connecting room cannot leave it: on one of the nights all others are closed or taken.
  const closed = rooms.map((one) =>
    ['101', '104'].includes(one.roomNumber) ? { ...one, closed: [{ from: TODAY + 4, to: TODAY + 5 }] } : one,
  );
  const long = assign({ rooms: closed, stays: [there, stay('x', 1, 5), stay('b', 1, 2, family())] });
  t.equal(roomsOf(long)['x'], '102');
  t.same(unmetOf(long), { b: ['CONNECTING OUTWEIGHED'] });
});

void t.test('of two stays that wish one room, the heavier wish has it, then the more loyal guest', async (t) => {
  const rooms = [room('101'), room('102', { features: ['VIEW'] })];
  const view = (weight: number): Pick<PlanStay, 'wishes'> => wishing(wish('FEATURE', { value: 'VIEW', weight }));
  const heavier = assign({ rooms, stays: [stay('a', 1, 5, view(5)), stay('b', 1, 1, view(6))] });
  t.same(roomsOf(heavier), { a: '101', b: '102' });
  t.same(unmetOf(heavier), { a: ['FEATURE OUTWEIGHED'] });
  const loyal = [stay('a', 1, 5, view(5)), stay('b', 1, 1, { ...view(5), tier: 'SILVER' })];
  t.same(roomsOf(assign({ rooms, stays: loyal })), { a: '101', b: '102' });
});

void t.test('a room that is closed on a later night is not given, and the wish for it says so', async (t) => {
  const rooms = [room('101'), room('102', { features: ['VIEW'], closed: [{ from: TODAY + 4, to: TODAY + 6 }] })];
  const view = wishing(wish('FEATURE', { value: 'VIEW' }));
  const long = assign({ rooms, stays: [stay('a', 1, 4, view)] });
  t.same(roomsOf(long), { a: '101' });
  t.same(unmetOf(long), { a: ['FEATURE CLOSED'] });
  t.same(roomsOf(assign({ rooms, stays: [stay('a', 1, 3, view)] })), { a: '102' });
});

void t.test('each kind of wish is met by the rooms that have it', async (t) => {
  const rooms = [
    room('101', { floor: 1, features: ['KING', 'SMOKING'] }),
    room('201', { floor: 2, accessible: true }),
    room('301', { floor: 3, features: ['VIEW'] }),
  ];
  const floors = floorsOf(rooms);
  const meets = (kind: RoomWish['kind'], value?: string): string[] =>
    rooms
      .filter((one) => meetsWish(one, wish(kind, value === undefined ? {} : { value }), floors))
      .map(({ roomNumber }) => roomNumber);
  t.same(
    ['LOW', 'MIDDLE', 'HIGH', '2'].map((value) => meets('FLOOR', value)),
    [['101'], ['201'], ['301'], ['201']],
  );
  t.same(meets('BED_TYPE', 'KING'), ['101']);
  t.same(meets('SMOKING', 'SMOKING'), ['101']);
  t.same(meets('SMOKING', 'NON_SMOKING'), ['201', '301']);
  t.same(meets('FEATURE', 'VIEW'), ['301']);
  t.same(meets('ACCESSIBLE'), ['201']);
  t.same(meets('ROOM', '301'), ['301']);
  t.same(meets('CONNECTING'), []);
  t.ok(connects(PAIRED[1]!, PAIRED[2]!));
  const flat = [room('1'), room('2')];
  t.ok(meetsWish(flat[0]!, wish('FLOOR', { value: 'HIGH' }), floorsOf(flat)), 'the only floor is every end');
});

void t.test('a wish of the reservation takes the place of the preference of the same kind', async (t) => {
  const profile = { floorPreference: 'LOW', bedType: 'ANY', smokingPreference: 'NON_SMOKING' };
  t.same(wishesOf([], profile), [
    { kind: 'FLOOR', value: 'LOW', weight: 4 },
    { kind: 'SMOKING', value: 'NON_SMOKING', weight: 6 },
  ]);
  t.same(wishesOf([wish('FLOOR', { value: 'HIGH' })], profile), [
    { kind: 'FLOOR', value: 'HIGH', weight: 10 },
    { kind: 'SMOKING', value: 'NON_SMOKING', weight: 6 },
  ]);
});
