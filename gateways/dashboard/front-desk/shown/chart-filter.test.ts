import t from 'tap';

import type { RoomItem } from '../../../../src/live/contracts/live.ts';
import type { Bar, Lane, LaneGroup } from '../lanes.ts';
import type { BoardStay } from '../shapes.ts';
import type { Task } from '../tasks.ts';
import { dateFrom, filteredLanes, filterFrom, filterParameters, homeOf, spanFrom } from './chart-filter.ts';

const bar = (task: Task): Bar => ({ stay: {} as BoardStay, task, from: 0, to: 2, goesBack: false, goesOn: false });
const room = (roomNumber: string, status: RoomItem['status'], ...tasks: Task[]): Lane => {
  const item: RoomItem = { roomNumber, roomType: 'STD', status };
  return { kind: 'room', key: roomNumber, room: item, bars: tasks.map(bar), closures: [] };
};
const lanes: Lane[] = [
  { kind: 'overbooked', key: 'over', gaps: [] },
  { kind: 'unassigned', key: 'none', bars: [bar('arrives-no-room')] },
  room('101', 'CLEAN', 'arrives-ready', 'later'),
  room('201', 'DIRTY', 'leaves'),
  { kind: 'clash', key: 'clash', roomNumber: '201', clash: 'taken', bars: [bar('arrives-unready')] },
];
const groups: LaneGroup[] = [
  { roomType: 'STD', rooms: 2, free: [], lanes },
  { roomType: 'DLX', rooms: 1, free: [], lanes: [room('301', 'DIRTY')] },
];
const floors = new Map([
  ['101', 1],
  ['201', 2],
  ['301', 3],
]);
const keys = (filter: Parameters<typeof filteredLanes>[1]): string[] =>
  filteredLanes(groups, filter, floors).groups.flatMap((group) => group.lanes.map(({ key }) => key));

void t.test('filters hold together, and what they hide is counted', async (t) => {
  t.same(keys({}), ['over', 'none', '101', '201', 'clash', '301']);
  t.same(keys({ floor: 2 }), ['201', 'clash'], 'a stay that clashes is where its room is');
  t.same(keys({ status: 'DIRTY' }), ['201', 'clash', '301']);
  t.same(keys({ status: 'DIRTY', roomType: 'STD' }), ['201', 'clash']);
  t.same(keys({ task: 'arrives-no-room' }), ['none']);
  t.same(keys({ task: 'leaves', floor: 1 }), []);
  t.match(filteredLanes(groups, { floor: 1 }, floors), { hiddenRooms: 2, hiddenStays: 3 });
  t.match(filteredLanes(groups, {}, floors), { hiddenRooms: 0, hiddenStays: 0 });
});

void t.test('the address says days and filters, and nonsense in it says nothing', async (t) => {
  const read = (query: string) => {
    const parameters = new URLSearchParams(query);
    return (name: string): string | undefined => parameters.get(name) ?? undefined;
  };
  t.same(spanFrom(read('view=30')), 30);
  for (const query of ['', 'view=8', 'view=x']) t.same(spanFrom(read(query)), 14);
  t.same(dateFrom(read('date=2026-03-10')), '2026-03-10');
  for (const query of ['', 'date=2026-02-30', 'date=today']) t.equal(dateFrom(read(query)), undefined, query);
  const filter = { floor: -1, roomType: 'STD', status: 'DIRTY', task: 'leaves' } as const;
  const query = new URLSearchParams(filterParameters(filter) as Record<string, string>).toString();
  t.same(filterFrom(read(query)), filter);
  t.same(filterFrom(read('floor=x&status=WET&task=none')), {});
});

void t.test('the chart of one day begins today, others yesterday', async (t) => {
  t.equal(homeOf('2026-03-01', 1), '2026-03-01');
  t.equal(homeOf('2026-03-01', 7), '2026-02-28');
});
