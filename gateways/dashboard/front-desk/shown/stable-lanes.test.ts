import t from 'tap';

import type { RoomItem } from '../../../../src/live/contracts/live.ts';
import { lanesOf } from '../lanes.ts';
import type { BoardStay } from '../shapes.ts';
import { stableLanes } from './stable-lanes.ts';

const days = ['2026-03-10', '2026-03-11', '2026-03-12'];
const rooms: RoomItem[] = ['101', '102'].map((roomNumber) => ({ roomNumber, roomType: 'STD', status: 'CLEAN' }));
const stay = (id: string, roomNumber: string): BoardStay =>
  ({
    reservationId: id,
    roomNumber,
    status: 'CONFIRMED',
    roomType: 'STD',
    checkIn: days[0],
    checkOut: days[1],
  }) as BoardStay;
const stays = [stay('a', '101'), stay('b', '102')];
const chart = (changed: Partial<Parameters<typeof lanesOf>[0]> = {}) =>
  lanesOf({ rooms, stays, maintenances: [], today: days[0]!, inspectsRooms: false, days, ...changed });

void t.test('only lanes in which something has changed are other objects', async (t) => {
  const before = chart();
  const sameAs = (changed: Parameters<typeof chart>[0]): boolean[] => {
    const [group] = stableLanes(before, chart(changed));
    return group!.lanes.map((lane, index) => lane === before[0]!.lanes[index]);
  };
  t.same(sameAs({}), [true, true]);
  t.same(sameAs({ rooms: [rooms[0]!, { ...rooms[1]!, status: 'DIRTY' }] }), [true, false]);
  t.same(sameAs({ stays: [{ ...stays[0]! }, stays[1]!] }), [false, true], 'a stay that was read again');
  t.same(sameAs({ stays: [stays[1]!] }), [false, true]);
  t.same(sameAs({ today: '2026-03-09' }), [false, false], 'other tasks');
  const maintenance = { maintenanceId: 'm', roomNumber: '102', from: days[1], to: null, kind: 'OUT_OF_ORDER' };
  t.same(sameAs({ maintenances: [maintenance] as never }), [true, false]);
});
