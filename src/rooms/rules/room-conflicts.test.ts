import fc from 'fast-check';
import { deepStrictEqual as same } from 'node:assert';
import t from 'tap';

import { KNOT, room, smallProperty, stay, TODAY } from '../../testing/room-properties.ts';
import { arrivalsDue, assignRooms } from './assign-rooms.ts';
import { conflictsIn, MAX_CONFLICTS, type RoomConflict } from './room-conflicts.ts';
import { type PlanRoom, type PlanStay, RoomPlan } from './room-plan.ts';

const found = (rooms: PlanRoom[], ...stays: PlanStay[]): RoomConflict[] =>
  conflictsIn(RoomPlan.of(rooms, stays), TODAY);
const inRoom = { roomNumber: '101' };
const rooms = [room('101'), room('102')];

void t.test('a property in which everybody has a room has no conflicts', async (t) => {
  t.same(
    found(rooms, stay('a', -2, 4, { ...inRoom, status: 'CHECKED_IN' }), stay('b', 2, 1, inRoom), stay('c', 1, 4)),
    [],
  );
});

void t.test(
  'stays that have a room on the same night are reported together, with the first such night',
  async (t) => {
    const stays = [
      stay('c', 6, 1, inRoom),
      stay('b', 3, 2, inRoom),
      stay('a', 1, 3, inRoom),
      stay('d', 4, 1, inRoom),
    ];
    t.same(
      found(rooms, ...stays).filter(({ reason }) => reason === 'DOUBLE_ASSIGNED'),
      [
        {
          roomNumber: '101',
          roomType: 'STD',
          day: TODAY + 3,
          reservationIds: ['a', 'b', 'd'],
          reason: 'DOUBLE_ASSIGNED',
        },
      ],
    );
    const past = [stay('x', -4, 3, inRoom), stay('y', -3, 2, inRoom)];
    t.same(found(rooms, ...past), []);
  },
);

void t.test(
  'a guest who should have left is reported with the arrivals of today, not on the day of departure',
  async (t) => {
    const guest = (nights: number): PlanStay => stay('in', -3, nights, { ...inRoom, status: 'CHECKED_IN' });
    const next = stay('next', 0, 2, inRoom);
    t.same(found(rooms, guest(3), next), []);
    t.same(found(rooms, guest(2), next, stay('tomorrow', 2, 1, inRoom)), [
      { roomNumber: '101', roomType: 'STD', day: TODAY, reservationIds: ['in', 'next'], reason: 'OVERSTAY' },
    ]);
  },
);

void t.test('a room that is out of order, gone, or of another type than the stay is reported', async (t) => {
  const conflicts = (one: RoomConflict): string => `${one.reason} ${one.roomNumber} ${one.reservationIds.join()}`;
  const stays = [
    stay('a', 1, 1, { roomNumber: '101' }),
    stay('b', 2, 1, { roomNumber: '999' }),
    stay('c', 3, 1, { roomNumber: '201' }),
    stay('d', 0, 1, { roomNumber: '101', status: 'CHECKED_IN' }),
  ];
  const property = [room('101', { status: 'OUT_OF_ORDER' }), room('102'), room('201', { roomType: 'DLX' })];
  t.same(found(property, ...stays).map(conflicts), [
    'OUT_OF_ORDER 101 d',
    'OUT_OF_ORDER 101 a',
    'OUT_OF_ORDER 999 b',
    'TYPE_MISMATCH 201 c',
  ]);
});

void t.test('stays without a room are reported by type and by the first night that has none left', async (t) => {
  const stays = [
    stay('a', 1, 3),
    stay('b', 2, 3),
    stay('c', 2, 3),
    stay('d', 3, 3),
    stay('e', 1, 2, { tier: 'GOLD' }),
  ];
  t.same(found(rooms, ...stays), [
    { roomType: 'STD', day: TODAY + 2, reservationIds: ['b', 'c'], reason: 'NO_ROOM_LEFT' },
  ]);
  const one = stay('a', 1, 1, { roomType: 'DLX' });
  t.match(found(rooms, one), [{ roomType: 'DLX', day: TODAY + 1, reservationIds: ['a'] }]);
  t.same(found([], one), [], 'a property without numbered rooms');
});

void t.test(
  'a stay is reported by its first night when each night has free rooms but no room is free on all',
  async (t) => {
    const fixed = { fixed: true };
    const stays = [
      stay('x', 3, 1, { roomNumber: '101', ...fixed }),
      stay('y', 4, 1, { roomNumber: '102', ...fixed }),
    ];
    t.same(found(rooms, ...stays, stay('a', 2, 4)), [
      { roomType: 'STD', day: TODAY + 2, reservationIds: ['a'], reason: 'NO_ROOM_LEFT' },
    ]);
  },
);

void t.test('a stay that can be placed is not reported, however hard to find', async (t) => {
  const property = KNOT.taken.map((_, index) => room(String(index)));
  const stays = KNOT.stays.map(([from, to], index) => stay(`r${index}`, from, to - from));
  for (const [index, taken] of KNOT.taken.entries())
    for (const [from, to] of taken)
      stays.push(stay(`f${index}-${from}`, from, to - from, { roomNumber: String(index), fixed: true }));
  t.same(found(property, ...stays), []);
});

void t.test('conflicts come by night, are the same in any order of stays, and are bounded', async (t) => {
  const stays = Array.from({ length: 700 }, (_, index) => stay(`r${index}`, index, 1, { roomNumber: '999' }));
  const conflicts = found(rooms, ...stays);
  t.equal(conflicts.length, MAX_CONFLICTS);
  t.same(conflicts, found([...rooms].reverse(), ...stays.reverse()));
  t.equal(conflicts.at(-1)!.day, TODAY + MAX_CONFLICTS - 1);
});

void t.test('an arrival that an assignment leaves without a room is reported, and no other', async () => {
  fc.assert(
    fc.property(smallProperty, ({ rooms, stays }) => {
      const plan = RoomPlan.of(rooms, stays);
      const due = arrivalsDue(plan, TODAY);
      const { unassigned } = assignRooms(plan, due, { today: TODAY, betterTypes: () => [] });
      const conflicts = conflictsIn(plan, TODAY).filter(({ reason }) => reason === 'NO_ROOM_LEFT');
      const without = new Set(conflicts.flatMap(({ reservationIds }) => reservationIds));
      for (const { reservationId } of due)
        same(
          without.has(reservationId),
          unassigned.some((one) => one.reservationId === reservationId),
        );
    }),
    { numRuns: 2_000 },
  );
});
