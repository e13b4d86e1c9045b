import t from 'tap';

import type { RoomItem } from '../../../src/live/contracts/live.ts';
import type { TaskView } from '../front-desk/shapes.ts';
import { boardOf, canDo, filteredBoard, stateBefore, VERBS } from './board.ts';

const room = (roomNumber: string, status: RoomItem['status'], more: Partial<RoomItem> = {}): RoomItem => ({
  roomNumber,
  roomType: 'STD',
  status,
  ...more,
});
const task = (roomNumber: string, changed: Partial<TaskView> = {}): TaskView =>
  ({
    taskId: `t${roomNumber}`,
    roomNumber,
    status: 'PENDING',
    attendant: null,
    nextArrival: null,
    ...changed,
  }) as TaskView;

const board = boardOf({
  rooms: [
    room('110', 'CLEAN'),
    room('2', 'DIRTY'),
    room('101', 'OCCUPIED', { reservationId: 'r1' }),
    room('201', 'OUT_OF_ORDER'),
    room('102', 'CLEAN', { reservationId: 'r2' }),
  ],
  floors: new Map([
    ['101', 1],
    ['102', 1],
    ['110', 1],
    ['2', 0],
    ['201', 2],
  ]),
  tasks: [task('101', { attendant: 'Ana' }), task('2'), task('110', { status: 'COMPLETED' })],
  arrivals: new Map([
    ['2', '2026-03-09'],
    ['110', '2026-03-11'],
    ['201', '2026-03-15'],
  ]),
  today: '2026-03-10',
});
const one = (roomNumber: string) =>
  board.flatMap(({ rooms }) => rooms).find((it) => it.room.roomNumber === roomNumber)!;
const numbers = (filter: Parameters<typeof filteredBoard>[1]): string[] =>
  filteredBoard(board, filter).flatMap(({ rooms }) => rooms.map((it) => it.room.roomNumber));

void t.test('rooms stand by floor and number, with the urgency of the next arrival', async (t) => {
  t.same(numbers({}), ['2', '101', '102', '110', '201']);
  t.same(
    ['2', '110', '201', '101'].map((number) => one(number).priority),
    [1, 2, 3, 3],
    'who should have come yesterday comes today',
  );
});

void t.test('the board is narrowed by floor, attendant and state together', async (t) => {
  t.same(numbers({ floor: 1 }), ['101', '102', '110']);
  t.same(numbers({ attendant: 'Ana' }), ['101']);
  t.same(numbers({ attendant: '' }), ['2', '110'], 'tasks of nobody');
  t.same(numbers({ state: 'TO_DO' }), ['2', '101'], 'a guest in house waits for a service');
  t.same(numbers({ state: 'TO_INSPECT' }), ['110']);
  t.same(numbers({ state: 'TO_DO', floor: 2 }), []);
});

void t.test('a button is there for what the room may have next', async (t) => {
  const can = (number: string): string[] => VERBS.filter((verb) => canDo(one(number), verb));
  t.same(can('2'), ['clean', 'out-of-order']);
  t.same(can('110'), ['inspect', 'out-of-order']);
  t.same(can('101'), ['clean'], 'nobody puts a room with a guest out of order');
  t.same(can('102'), []);
  t.same(can('201'), []);
  t.same(
    ['2', '110', '101'].map((number) => stateBefore(one(number))),
    ['DIRTY', 'CLEAN', undefined],
  );
});
