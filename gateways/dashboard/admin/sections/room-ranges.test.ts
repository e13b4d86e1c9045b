import t from 'tap';

import { floorOf, readRanges } from './room-ranges.ts';

const rooms = (text: string): string => {
  const read = readRanges(text);
  return 'rooms' in read ? read.rooms.join(' ') : read.problem;
};

void t.test('ranges of room numbers are read as people write them', async (t) => {
  t.equal(rooms('101-103, 201'), '101 102 103 201');
  t.equal(rooms('101 – 102;\n7'), '101 102 7');
  t.equal(rooms('A1-A3'), 'A1 A2 A3');
  t.equal(rooms('A1-3'), 'A1 A2 A3');
  t.equal(rooms('08-11'), '08 09 10 11', 'zeros stay');
  t.equal(rooms('12b, 12c'), '12b 12c');
});

void t.test('what is no range says why', async (t) => {
  t.match(rooms(''), 'such as 101-120');
  t.match(rooms('penthouse'), 'no room number');
  t.match(rooms('120-101'), 'later one');
  t.match(rooms('A1-B3'), 'later one');
  t.match(rooms('101-103, 102'), '102 is there twice');
  t.match(rooms('1-99999'), 'At most 500');
  t.match(rooms('1-300, 1001-1300'), 'At most 500');
});

void t.test('a number says its floor', async (t) => {
  t.strictSame(['7', '12', '101', '1204', 'A305', 'Suite'].map(floorOf), [0, 0, 1, 12, 3, 0]);
});
