import { test } from 'tap';

import { dayOf } from '../../src/kernel/rules/dates.ts';
import { Cells, compareCells, type ShownCell } from './cells.ts';

const stay = (status: string, checkIn: string, checkOut: string) => ({
  status,
  stayDetails: { roomType: 'A', checkIn, checkOut },
});

const shown = (date: string, more: Partial<ShownCell> = {}): ShownCell => ({
  roomType: 'A',
  date,
  totalRooms: 3,
  availableRooms: 3,
  bookedRooms: 0,
  heldRooms: 0,
  blockedRooms: 0,
  ...more,
});

const expected = {
  totals: new Map([['A', 3]]),
  firstNight: dayOf('2027-01-01'),
  lastNight: dayOf('2027-01-03'),
};

void test('nights of confirmed stays are booked, of pending ones held, of cancelled ones free', async (t) => {
  const cells = new Cells();
  cells.add(stay('CONFIRMED', '2027-01-01', '2027-01-03'));
  cells.add(stay('CHECKED_IN', '2027-01-01', '2027-01-02'));
  cells.add(stay('PENDING', '2027-01-02', '2027-01-03'));
  cells.add(stay('CANCELLED', '2027-01-01', '2027-01-04'));
  const grid = [
    shown('2027-01-01', { bookedRooms: 2, availableRooms: 1 }),
    shown('2027-01-02', { bookedRooms: 1, heldRooms: 1, availableRooms: 1 }),
    shown('2027-01-03'),
  ];
  t.same(compareCells(grid, cells, expected), []);
});

void test('each wrong number is a difference of its own', async (t) => {
  const cells = new Cells();
  cells.add(stay('CONFIRMED', '2027-01-02', '2027-01-03'));
  const grid = [shown('2027-01-01', { totalRooms: 4 }), shown('2027-01-02'), shown('2027-01-03')];
  t.same(compareCells(grid, cells, expected), [
    { roomType: 'A', date: '2027-01-01', what: 'totalRooms', shown: 4, recomputed: 3 },
    { roomType: 'A', date: '2027-01-02', what: 'bookedRooms', shown: 0, recomputed: 1 },
    { roomType: 'A', date: '2027-01-02', what: 'availableRooms', shown: 3, recomputed: 2 },
  ]);
});

void test('a cell that is not shown is a difference', async (t) => {
  t.match(compareCells([shown('2027-01-01'), shown('2027-01-03')], new Cells(), expected), [
    { date: '2027-01-02', what: 'cells' },
  ]);
});

void test('more taken than there are rooms shows none left, not fewer than none', async (t) => {
  const cells = new Cells();
  for (let count = 0; count < 4; count += 1) cells.add(stay('CONFIRMED', '2027-01-01', '2027-01-02'));
  const grid = [shown('2027-01-01', { bookedRooms: 4, availableRooms: 0 }), shown('2027-01-02'), shown('2027-01-03')];
  t.same(compareCells(grid, cells, expected), []);
});
