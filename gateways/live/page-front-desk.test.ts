import t from 'tap';

import type { RoomItem } from '../../src/live/contracts/live.ts';
import { type Lane, lanesOf } from '../dashboard/front-desk/lanes.ts';
import type { BoardStay, MaintenanceView } from '../dashboard/front-desk/shapes.ts';
import { foundStays, listsOf, taskOf } from '../dashboard/front-desk/tasks.ts';

const TODAY = '2026-03-10';
const DAYS = Array.from({ length: 14 }, (_, index) => `2026-03-${String(9 + index).padStart(2, '0')}`);

const room = (roomNumber: string, changed: Partial<RoomItem> = {}): RoomItem => ({
  roomNumber,
  roomType: 'STD',
  status: 'CLEAN',
  ...changed,
});

let made = 0;
const stay = (checkIn: number, checkOut: number, changed: Partial<BoardStay> = {}): BoardStay => {
  made += 1;
  const date = (day: number): string => `2026-03-${String(day).padStart(2, '0')}`;
  return {
    reservationId: `r${made}`,
    confirmationNumber: `NUMBER${made}`,
    status: 'CONFIRMED',
    name: `Guest ${made}`,
    checkIn: date(checkIn),
    checkOut: date(checkOut),
    roomType: 'STD',
    guests: 2,
    balance: 0,
    currency: 'EUR',
    loyaltyTier: 'NONE',
    requests: [],
    updatedAt: '2026-03-01T00:00:00.000Z',
    ...changed,
  };
};
const inHouse = (checkIn: number, checkOut: number, changed: Partial<BoardStay> = {}): BoardStay =>
  stay(checkIn, checkOut, { status: 'CHECKED_IN', roomNumber: '101', ...changed });

t.test('a stay says what it needs today, and not what its status is', async (t) => {
  const task = (one: BoardStay, at?: RoomItem, inspects = false) => taskOf(one, at, TODAY, inspects);
  t.equal(task(stay(10, 12)), 'arrives-no-room');
  t.equal(task(stay(10, 12, { roomNumber: '101' }), room('101')), 'arrives-ready');
  t.equal(task(stay(10, 12, { roomNumber: '101' }), room('101', { status: 'DIRTY' })), 'arrives-unready');
  for (const [status, needs] of [
    ['CLEAN', 'arrives-unready'],
    ['INSPECTED', 'arrives-ready'],
    ['AVAILABLE', 'arrives-ready'],
  ] as const)
    t.equal(task(stay(10, 12, { roomNumber: '101' }), room('101', { status }), true), needs, `inspects: ${status}`);
  const occupied = room('101', { reservationId: 'other' });
  t.equal(task(stay(10, 12, { roomNumber: '101' }), occupied), 'arrives-unready', 'clean, and somebody is in it');
  t.equal(task(stay(9, 12, { roomNumber: '101' }), room('101')), 'arrives-ready', 'should have come yesterday');
  t.equal(task(stay(10, 12, { status: 'PENDING' })), 'arrives-unpaid');
  t.equal(task(stay(11, 12)), 'later');
  t.equal(task(inHouse(8, 12)), 'in-house');
  t.equal(task(inHouse(8, 10)), 'leaves');
  t.equal(task(inHouse(8, 10, { balance: 12 })), 'leaves-owing');
  t.equal(task(inHouse(7, 9)), 'overstay');
  t.equal(task(inHouse(8, 10, { status: 'CHECKED_OUT' })), 'left');
});

t.test('the lists of a day count what is done', async (t) => {
  const come = inHouse(10, 12, { name: 'Ada' });
  const due = stay(10, 11, { name: 'Zoe' });
  const late = stay(9, 11, { name: 'Yan' });
  const gone = inHouse(8, 10, { status: 'CHECKED_OUT' });
  const overstays = inHouse(7, 9);
  const cancelled = stay(10, 12, { status: 'CANCELLED' });
  const lists = listsOf([come, due, late, gone, overstays, cancelled, stay(11, 12)], TODAY);
  t.same(
    lists.arrivals.map(({ name }) => name),
    ['Yan', 'Zoe', 'Ada'],
    'arrived guests stand last',
  );
  t.match(lists, { arrived: 1, departed: 1 });
  t.same(lists.departures, [overstays, gone]);
  t.same(new Set(lists.inHouse), new Set([come, overstays]));
});

t.test('a stay is found by parts of its name, room and number', async (t) => {
  const ada = stay(10, 12, { name: 'Ada Lovelace', roomNumber: '204', confirmationNumber: 'K7M2AAAA11' });
  const other = stay(10, 12, { name: 'Grace Hopper' });
  for (const query of ['lovel', 'ADA 204', 'k7m2']) t.same(foundStays([ada, other], query), [ada], query);
  const shared = stay(10, 12, { name: 'Ada', sharer: 'Bo Diddley' });
  t.same(foundStays([shared, other], 'diddley'), [shared], 'by who shares the room');
  const over = stay(10, 12, { name: 'Ada', status: 'CANCELLED', confirmationNumber: 'K7M2BBBB22' });
  t.same(foundStays([over], 'ada'), []);
  t.same(foundStays([over], 'k7m2bbbb22'), [over], 'what has ended is found by its whole number');
});

type Chart = Omit<Parameters<typeof lanesOf>[0], 'maintenances' | 'inspectsRooms'>;
const chart = (of: Chart & { maintenances?: MaintenanceView[] }) =>
  lanesOf({ maintenances: [], inspectsRooms: false, ...of });
const closed = (from: string, to: string | null, kind: MaintenanceView['kind'] = 'OUT_OF_ORDER'): MaintenanceView => {
  const at = `${TODAY}T08:00:00.000Z`;
  return {
    maintenanceId: `m ${from}`,
    roomNumber: '101',
    from,
    to,
    kind,
    reason: 'a leak',
    createdAt: at,
    updatedAt: at,
  };
};

t.test('maintenances lie on their nights, and rooms out of order are not free', async (t) => {
  const rooms = [room('101', { status: 'OUT_OF_ORDER' }), room('102')];
  const broken = stay(11, 13, { roomNumber: '101' });
  const after = stay(13, 14, { roomNumber: '101' });
  const maintenances = [closed(DAYS[1]!, DAYS[3]!), closed(DAYS[5]!, null, 'OUT_OF_SERVICE')];
  const [group] = chart({ rooms, stays: [broken, after], today: TODAY, days: DAYS, maintenances });
  const lanes = group!.lanes.map((lane) => [lane.kind, 'clash' in lane ? lane.clash : lane.key, barsOf(lane)]);
  t.same(lanes, [
    ['room', '101', [after.reservationId]],
    ['clash', 'out-of-order', [broken.reservationId]],
    ['room', '102', []],
  ]);
  t.match(group!.lanes[0], {
    closures: [
      { from: 3, to: 9 },
      { from: 11, to: 2 * DAYS.length },
    ],
  });
  t.same(group!.free.slice(0, 6), [2, 1, 0, 0, 1, 2]);
});

t.test('bars lie from the afternoon of the arrival to the morning of the departure', async (t) => {
  const lanes = chart({
    rooms: [room('101')],
    today: TODAY,
    days: DAYS,
    stays: [inHouse(7, 10), stay(10, 12, { roomNumber: '101' }), stay(20, 30, { roomNumber: '101' })],
  })[0]!.lanes;
  t.equal(lanes.length, 1, 'one leaves in the morning of the day on which the next one comes');
  t.match(lanes[0], {
    kind: 'room',
    bars: [
      { from: 0, to: 3, goesBack: true, goesOn: false },
      { from: 3, to: 7, goesBack: false },
      { from: 23, to: 28, goesOn: true },
    ],
  });
});

t.test('stays without a room share as few lanes as they can', async (t) => {
  const stays = [stay(10, 12), stay(11, 13), stay(12, 14)];
  const [group] = chart({ rooms: [room('101'), room('102')], stays, today: TODAY, days: DAYS });
  const unassigned = group!.lanes.filter(({ kind }) => kind === 'unassigned');
  t.same(
    unassigned.map((lane) => barsOf(lane)),
    [['r-a', 'r-c'], ['r-b']].map((ids) => ids.map((id) => stays['abc'.indexOf(id.at(-1)!)]!.reservationId)),
  );
});

t.test('what cannot be is never hidden', async (t) => {
  const rooms = [room('101'), room('102', { status: 'OUT_OF_ORDER' })];
  const overstays = inHouse(7, 9);
  const next = stay(10, 12, { roomNumber: '101' });
  const broken = stay(11, 13, { roomNumber: '102' });
  const gone = stay(12, 14, { roomNumber: '999' });
  const [group] = chart({ rooms, stays: [overstays, next, broken, gone], today: TODAY, days: DAYS });
  const lanes = group!.lanes.map((lane) => [lane.kind, 'clash' in lane ? lane.clash : lane.key, barsOf(lane)]);
  t.same(lanes, [
    ['overbooked', 'STD over', []],
    ['room', '101', [overstays.reservationId]],
    ['clash', 'taken', [next.reservationId]],
    ['room', '102', []],
    ['clash', 'out-of-order', [broken.reservationId]],
    ['clash', 'no-such-room', [gone.reservationId]],
  ]);
  t.same(group!.free.slice(0, 6), [1, -1, -1, -1, 0, 1], 'in tonight: the one who should have left, and the next');
  t.match(group!.lanes[0], { gaps: [{ from: 3, to: 9, rooms: 1 }] });
});

t.test('every stay of the days that are shown is in exactly one lane', async (t) => {
  const rooms = [room('1'), room('2', { roomType: 'DLX' }), room('3', { status: 'OUT_OF_ORDER' })];
  const stays = Array.from({ length: 120 }, (_, n) =>
    stay(1 + ((n * 7) % 20), 2 + ((n * 7) % 20) + (n % 6), {
      roomType: n % 4 === 0 ? 'DLX' : 'STD',
      status: ['CONFIRMED', 'CHECKED_IN', 'CHECKED_OUT'][n % 3]!,
      ...(n % 5 !== 0 && { roomNumber: String(1 + (n % 4)) }),
    }),
  );
  const lanes = chart({ rooms, stays, today: TODAY, days: DAYS }).flatMap((group) => group.lanes);
  const shown = lanes.flatMap(barsOf);
  t.equal(new Set(shown).size, shown.length);
  const within = stays.filter(({ checkIn, checkOut, status }) => {
    const overstays = status === 'CHECKED_IN' && checkOut < TODAY;
    return checkIn <= DAYS.at(-1)! && (overstays || checkOut >= DAYS[0]!);
  });
  t.equal(shown.length, within.length);
  for (const lane of lanes) {
    const bars = 'bars' in lane ? lane.bars.filter(({ task }) => task !== 'left') : [];
    t.notOk(
      bars.some((one, index) => index > 0 && one.from < bars[index - 1]!.to),
      `${lane.key} has no bar on another`,
    );
  }
});

function barsOf(lane: Lane): string[] {
  return 'bars' in lane ? lane.bars.map((bar) => bar.stay.reservationId) : [];
}
