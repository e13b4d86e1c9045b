import t from 'tap';

import { room, stay, TODAY } from '../../testing/room-properties.ts';
import { type PlanStay, RoomPlan } from './room-plan.ts';
import { othersIn } from './rooms-of-type.ts';

const property = RoomPlan.of(
  [room('101'), room('102'), room('201', { roomType: 'DLX' })],
  [
    stay('next', 3, 2, { roomNumber: '101' }),
    stay('in', -2, 4, { roomNumber: '101', status: 'CHECKED_IN' }),
    stay('leaving', -1, 1, { roomNumber: '102', status: 'CHECKED_IN' }),
    stay('missed', -3, 2, { roomNumber: '102' }),
    stay('late', -3, 1, { roomNumber: '201', status: 'CHECKED_IN' }),
  ],
);
const others = (roomNumber: string, one: PlanStay): string[] =>
  othersIn(property, roomNumber, one, TODAY).map(({ reservationId }) => reservationId);

void t.test(
  'other stays conflict on shared nights from today on, and a stay does not conflict with itself',
  async (t) => {
    t.same(others('101', stay('new', 1, 3)), ['in', 'next']);
    t.same(others('101', stay('new', 2, 1)), [], 'from the morning one leaves until the evening the other comes');
    t.same(others('101', stay('next', 2, 3)), []);
    t.same(others('101', stay('next', 1, 3)), ['in']);
  },
);

void t.test('a guest who leaves today and a no-show need no room tonight; an overdue guest does', async (t) => {
  t.same(others('102', stay('new', 0, 2)), []);
  t.same(others('201', stay('new', 0, 2)), ['late']);
  t.same(others('201', stay('new', 1, 2)), [], 'gone by tomorrow');
  t.same(others('201', stay('other', -2, 2, { status: 'CHECKED_IN' })), [], 'he leaves today himself');
  t.same(others('201', stay('other', -2, 1, { status: 'CHECKED_IN' })), ['late'], 'both should have left');
});
