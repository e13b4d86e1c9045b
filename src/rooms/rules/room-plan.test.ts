import fc from 'fast-check';
import { deepStrictEqual as same } from 'node:assert';
import t from 'tap';

import { room, stay } from '../../testing/room-properties.ts';
import { type PlanStay, RoomPlan } from './room-plan.ts';

const ids = (stays: Iterable<PlanStay>): string[] => [...stays].map(({ reservationId }) => reservationId);

const property = RoomPlan.of(
  [room('102'), room('101'), room('103', { status: 'OUT_OF_ORDER' }), room('201', { roomType: 'DLX', floor: 2 })],
  [
    stay('b', 5, 2, { roomNumber: '101' }),
    stay('a', 1, 3, { roomNumber: '101' }),
    stay('d', 9, 1),
    stay('c', 4, 1),
    stay('e', 4, 1, { roomType: 'DLX' }),
  ],
);

void t.test('a room has its stays by check-in, and rooms come by floor and number', async (t) => {
  t.same(ids(property.inRoom('101')), ['a', 'b']);
  t.same(ids(property.inRoom('102')), []);
  t.same([...property.rooms.keys()], ['101', '102', '103', '201']);
});

void t.test('a change makes another plan and leaves this one as it is', async (t) => {
  const next = property.with([stay('c', 4, 1, { roomNumber: '102' }), stay('new', 0, 1)], ['a']);
  t.same(ids(next.inRoom('101')), ['b']);
  t.same(ids(next.inRoom('102')), ['c']);
  t.equal(next.size, 5);
  t.same(ids(property.inRoom('101')), ['a', 'b']);
  t.equal(property.stay('c')!.roomNumber, undefined);
  t.equal(property.size, 5);
  t.same(ids(property.with([stay('b', 0, 1, { roomNumber: '101' })]).inRoom('101')), ['b', 'a']);
  t.equal(property.withRooms([room('9')]).rooms.size, 1);
});

const change = fc.record({
  id: fc.nat({ max: 400 }).map(String),
  gone: fc.boolean(),
  from: fc.nat({ max: 9 }),
  roomNumber: fc.constantFrom(undefined, undefined, '101', '102'),
});

void t.test('a plan that was changed step by step is the one that is built at once', async () => {
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 60, size: 'max' }), { maxLength: 12 }), (batches) => {
      const known = new Map<string, PlanStay>();
      let plan = RoomPlan.of(property.rooms.values(), []);
      for (const batch of batches) {
        const gone = batch.filter((one) => one.gone).map(({ id }) => id);
        const put = batch
          .filter((one) => !one.gone)
          .map(({ id, from, roomNumber }) => stay(id, from, 2, { roomNumber }));
        plan = plan.with(put, gone);
        for (const id of gone) known.delete(id);
        for (const one of put) known.set(one.reservationId, one);
      }
      same(plan.size, known.size);
      const built = RoomPlan.of(property.rooms.values(), known.values());
      same(ids(plan.stays).sort(), ids(built.stays).sort());
      for (const roomNumber of ['101', '102']) same(plan.inRoom(roomNumber), built.inRoom(roomNumber));
      for (const [id, one] of known) same(plan.stay(id), one);
      same(plan.stay('unknown'), undefined);
    }),
    { numRuns: 200 },
  );
});
