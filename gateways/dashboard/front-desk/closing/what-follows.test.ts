import t from 'tap';

import type { BoardStay, MaintenanceView } from '../shapes.ts';
import { effectsOf } from './what-follows.ts';

const days = Array.from({ length: 5 }, (_, n) => `2026-03-1${n}`);
const room = { roomNumber: '101', roomType: 'STD', status: 'CLEAN' } as const;
const stay = (checkIn: string, checkOut: string, changed: Partial<BoardStay> = {}): BoardStay => ({
  ...({ name: checkIn, roomNumber: '101', status: 'CONFIRMED', roomType: 'STD' } as BoardStay),
  checkIn,
  checkOut,
  ...changed,
});
const about = (free: number[], stays: BoardStay[] = [], maintenances: MaintenanceView[] = []) => ({
  room,
  stays,
  maintenances,
  days,
  groups: [{ roomType: 'STD', rooms: 3, free, lanes: [] }],
});

void t.test('nights that would be sold too often are named with what is missing', async (t) => {
  const free = [1, 0, -1, 2, 0];
  const { short, nights, back } = effectsOf({ from: days[1]!, to: days[3]! }, 'OUT_OF_ORDER', about(free));
  t.same(short, [
    { date: days[1], rooms: 1 },
    { date: days[2], rooms: 2 },
  ]);
  t.equal(nights, 3);
  t.equal(back, days[4]);
  t.same(effectsOf({ from: days[3]! }, 'OUT_OF_ORDER', about(free)).short, [{ date: days[4], rooms: 1 }], 'no end');
  t.same(effectsOf({ from: days[1]!, to: days[3]! }, 'OUT_OF_SERVICE', about(free)).short, [], 'still sold');
  const closed = [{ roomNumber: '101', kind: 'OUT_OF_ORDER', from: days[1], to: days[2] }] as MaintenanceView[];
  const again = effectsOf({ from: days[1]!, to: days[2]! }, 'OUT_OF_ORDER', about([0, 0, 0, 0, 0], [], closed));
  t.same(again.short, [], 'a room that is closed already is counted once');
});

void t.test('stays in the room are named from their first to their last night', async (t) => {
  const stays = [
    stay(days[0]!, days[1]!),
    stay(days[1]!, days[2]!),
    stay(days[3]!, days[4]!),
    stay(days[1]!, days[3]!, { roomNumber: '102' }),
    stay(days[1]!, days[3]!, { status: 'CHECKED_OUT' }),
  ];
  const { inRoom } = effectsOf({ from: days[1]!, to: days[2]! }, 'OUT_OF_ORDER', about([9, 9, 9, 9, 9], stays));
  t.same(inRoom, [stays[1]], 'who leaves on the first day and who comes after the last night are not in the way');
});
