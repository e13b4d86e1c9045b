import { randomUUID } from 'node:crypto';

import { LOYALTY_TIERS } from '../../src/guests/rules/guest.ts';
import { Random } from '../../src/kernel/rules/random.ts';
import { arrivalsDue, assignRooms, type RoomAssignment } from '../../src/rooms/rules/assign-rooms.ts';
import { conflictsIn } from '../../src/rooms/rules/room-conflicts.ts';
import { type PlanRoom, type PlanStay, RoomPlan } from '../../src/rooms/rules/room-plan.ts';
import type { RoomWish } from '../../src/rooms/rules/room-wishes.ts';
import { othersIn } from '../../src/rooms/rules/rooms-of-type.ts';

const TODAY = 20_000;
const ORDER = ['STD', 'DLX', 'STE'];
const ROOMS: Record<string, number> = { STD: 400, DLX: 150, STE: 50 };

type Party = {
  name: string;
  arrivals: number;
  fixed: number;
  outOfOrder: number;
  over: number;
  /** Rooms that differ, have doors and are closed for some nights, and stays with wishes. */
  wishes?: true;
};

/** Properties of 600 rooms with 60 days of future stays, sold by counts to the last room. */
const CONTENDERS: Party[] = [
  { name: 'nothing by hand', arrivals: 500, fixed: 0, outOfOrder: 0, over: 0 },
  { name: '100 by hand', arrivals: 500, fixed: 100, outOfOrder: 0, over: 0 },
  { name: '1,000 by hand', arrivals: 500, fixed: 1_000, outOfOrder: 0, over: 0 },
  { name: 'overbooked by 3 %', arrivals: 515, fixed: 100, outOfOrder: 0, over: 0.03 },
  { name: '3,000 by hand, overbooked by 3 %', arrivals: 515, fixed: 3_000, outOfOrder: 0, over: 0.03 },
  { name: '30 rooms out of order', arrivals: 500, fixed: 100, outOfOrder: 30, over: 0 },
  { name: 'all rules', arrivals: 500, fixed: 100, outOfOrder: 0, over: -0.05, wishes: true },
  { name: 'all rules, full', arrivals: 500, fixed: 100, outOfOrder: 0, over: 0, wishes: true },
  { name: 'all rules, overbooked by 3 %', arrivals: 515, fixed: 100, outOfOrder: 0, over: 0.03, wishes: true },
];

const FEATURES = ['KING', 'TWIN', 'VIEW', 'BATH', 'SMOKING'];

/** Every 20th room is accessible, every third pair has a door, and a tenth is closed for four nights. */
function equipped(rooms: readonly PlanRoom[], random: Random): PlanRoom[] {
  return rooms.map((room, index): PlanRoom => {
    const pair = index % 6 < 2 ? rooms[index % 6 === 0 ? index + 1 : index - 1] : undefined;
    const from = TODAY + random.between(1, 30);
    return {
      ...room,
      features: FEATURES.filter(() => random.chance(0.4)),
      ...(index % 20 === 0 && { accessible: true as const }),
      ...(pair?.roomType === room.roomType && { connectsTo: [pair.roomNumber] }),
      ...(random.chance(0.1) && room.status === 'AVAILABLE' && { closed: [{ from, to: from + 4 }] }),
    };
  });
}

/** Three of four stays wish two things, one in 50 needs an accessible room, and a fifth are pairs of one booking. */
function wishesOf(index: number, random: Random): Pick<PlanStay, 'wishes' | 'parties'> {
  if (random.chance(0.25)) return {};
  const wishes: RoomWish[] = [
    { kind: 'FLOOR', value: random.pick(['LOW', 'MIDDLE', 'HIGH']), weight: random.between(1, 20) },
    { kind: 'FEATURE', value: random.pick(FEATURES), weight: random.between(1, 20) },
  ];
  if (random.chance(0.02)) wishes.push({ kind: 'ACCESSIBLE', weight: 50, required: true });
  if (index % 10 < 2) wishes.push({ kind: 'CONNECTING', weight: 30 });
  return { wishes, parties: [`booking ${Math.floor(index / 10)}`] };
}

/** Stays of one type: guests in house, `arrivals` tomorrow, then as many as fit on each night. */
function staysOf(roomType: string, random: Random, party: Party): PlanStay[] {
  const count = ROOMS[roomType]!;
  const most = Math.round(count * (1 + party.over));
  const sold = new Int32Array(100);
  const stays: PlanStay[] = [];
  const sell = (from: number, nights: number, more: Partial<PlanStay> = {}): void => {
    for (let day = from; day < from + nights; day++) if (sold[day]! >= most) return;
    for (let day = from; day < from + nights; day++) sold[day]! += 1;
    const checkIn = TODAY + from;
    const checkOut = TODAY + from + nights;
    const tier = random.pick(LOYALTY_TIERS);
    const wished = party.wishes && { ...wishesOf(stays.length, random), ...more };
    const one = { reservationId: randomUUID(), roomType, checkIn, checkOut, status: 'CONFIRMED', tier } as const;
    stays.push({ ...one, ...(wished ?? more) });
  };
  const arrivals = Math.round((party.arrivals * count) / 600);
  for (let index = 0; index < count; index++) {
    const roomNumber = `${roomType}-${index}`;
    const nights = index < (500 * count) / 600 ? 1 : random.between(2, 9);
    sell(0, nights, { roomNumber, status: 'CHECKED_IN' });
  }
  for (let index = 0; index < arrivals; index++) sell(1, random.between(1, 6));
  for (let attempt = 0; attempt < 40 * count; attempt++) sell(random.between(2, 59), random.between(1, 7));
  return stays;
}

function property(party: Party): RoomPlan {
  const random = new Random(1);
  const plain = ORDER.flatMap((roomType) =>
    Array.from({ length: ROOMS[roomType]! }, (_, index): PlanRoom => {
      const floor = 1 + Math.floor(index / 40);
      const status = party.wishes && index >= (500 * ROOMS[roomType]!) / 600 ? 'AVAILABLE' : 'OCCUPIED';
      return { roomNumber: `${roomType}-${index}`, roomType, floor, status, features: [] };
    }),
  );
  const rooms = party.wishes ? equipped(plain, random) : plain;
  for (let index = 0; index < party.outOfOrder; index++) {
    const at = random.between(0, rooms.length - 1);
    rooms[at] = { ...rooms[at]!, status: 'OUT_OF_ORDER' };
  }
  let plan = RoomPlan.of(
    rooms,
    ORDER.flatMap((roomType) => staysOf(roomType, random, party)),
  );
  const waiting = [...plan.stays].filter(({ checkIn, roomNumber }) => !roomNumber && checkIn > TODAY + 1);
  for (let done = 0; done < party.fixed;) {
    const one = random.pick(waiting);
    const inOrder = rooms.filter(({ roomType, status }) => roomType === one.roomType && status !== 'OUT_OF_ORDER');
    const free = inOrder.filter(({ roomNumber }) => othersIn(plan, roomNumber, one, TODAY).length === 0);
    // Not a room in which a guest in house stays on, and each stay once.
    if (plan.stay(one.reservationId)!.roomNumber !== undefined || free.length === 0) continue;
    plan = plan.with([{ ...one, roomNumber: random.pick(free).roomNumber, fixed: true }]);
    done++;
  }
  return plan;
}

/** CPU of a run, the first and the median of 15: the machine may be busy with other work. */
function timed(run: () => void): string {
  const times = Array.from({ length: 15 }, () => {
    const begin = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(begin);
    return (user + system) / 1_000;
  });
  return `${times[0]!.toFixed(1)} ms, then ${times.sort((a, b) => a - b)[7]!.toFixed(1)} ms`;
}

/** Wishes of the stays that got a room, by kind: how many are met, and why others are not. */
function metOf(plan: RoomPlan, assignments: readonly RoomAssignment[]): string {
  const wished = assignments.flatMap(({ reservationId }) => plan.stay(reservationId)!.wishes ?? []);
  const unmet = assignments.flatMap(({ unmetWishes = [] }) => unmetWishes);
  const kinds = [...Map.groupBy(wished, ({ kind }) => kind)].map(([kind, all]) => {
    const missed = unmet.filter((one) => one.kind === kind);
    const reasons = [...Map.groupBy(missed, ({ reason }) => reason)].map(([why, of]) => `${why} ${of.length}`);
    return `${kind} ${all.length - missed.length} of ${all.length} (${reasons.join(', ')})`;
  });
  return `met: ${kinds.join('; ')}`;
}

const betterTypes = ({ roomType }: PlanStay): string[] => ORDER.slice(ORDER.indexOf(roomType) + 1);
const rules = { today: TODAY, betterTypes };

console.log('600 rooms; CPU of the first run and of the median of 15\n');
for (const party of CONTENDERS) {
  const plan = property(party);
  const due = arrivalsDue(plan, TODAY);
  const assigning = timed(() => assignRooms(plan, due, rules));
  const { assignments, unassigned } = assignRooms(plan, due, rules);
  const upgraded = assignments.filter((one) => one.upgraded).length;
  const moved = assignments.filter((one) => one.previousRoomNumber !== undefined).length;
  console.log(`${party.name}: ${plan.size} stays, ${due.length} arrivals`);
  console.log(
    `  assigned ${assignments.length - moved}, moved ${moved}, upgraded ${upgraded}, without ${unassigned.length}`,
  );
  console.log(`  assignRooms ${assigning}`);
  if (party.wishes) console.log(`  ${metOf(plan, assignments)}`);
  const conflicts = conflictsIn(plan, TODAY);
  console.log(`  conflictsIn ${timed(() => conflictsIn(plan, TODAY))}, ${conflicts.length} conflicts`);
  const byDay = conflicts
    .filter(({ reason }) => reason === 'NO_ROOM_LEFT')
    .flatMap((one) => one.reservationIds).length;
  console.log(`  of all stays to come ${byDay} find no room for all nights`);
}

const bytes = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};
const stayOf = (index: number): PlanStay => ({
  reservationId: randomUUID(),
  roomType: ORDER[index % 3]!,
  checkIn: TODAY + (index % 700),
  checkOut: TODAY + (index % 700) + 3,
  status: 'CONFIRMED',
  tier: 'NONE',
  ...(index % 20 === 0 && { roomNumber: `STD-${index % 400}` }),
});
const rooms = [...property(CONTENDERS[0]!).rooms.values()];
const before = bytes();
let plan = RoomPlan.of(
  rooms,
  Array.from({ length: 20_000 }, (_, index) => stayOf(index)),
);
console.log(`\n20,000 stays: ${((bytes() - before) / 1e6).toFixed(2)} MB (run with --expose-gc)`);
const more = Array.from({ length: 5_000 }, (_, index) => stayOf(index * 20 + 1));
let begin = performance.now();
for (const one of more) plan = plan.with([one]);
console.log(`a booking more: ${(((performance.now() - begin) / more.length) * 1000).toFixed(1)} us`);
begin = performance.now();
for (const [index, one] of more.entries()) plan = plan.with([{ ...one, roomNumber: `DLX-${index % 150}` }]);
console.log(`a room for a stay: ${(((performance.now() - begin) / more.length) * 1000).toFixed(1)} us`);
begin = performance.now();
plan = plan.with(more.slice(0, 500).map((one, index) => ({ ...one, roomNumber: `STE-${index % 50}` })));
console.log(`500 rooms at once: ${(performance.now() - begin).toFixed(1)} ms`);
