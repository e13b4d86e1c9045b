import { demoRate } from '../../src/demo/rules/demand.ts';
import { demoId } from '../../src/demo/rules/demo-ids.ts';
import type { DemoProperty } from '../../src/demo/rules/hotels.ts';
import type { PlannedStay } from '../../src/demo/rules/plan.ts';
import type { Day } from '../../src/kernel/rules/dates.ts';
import type { Instant } from '../../src/kernel/rules/property-time.ts';
import type { PastEvent, StayPlayer } from './play-stays.ts';
import type { PlayedProperty } from './played-property.ts';
import type { StayWorld } from './stay-commands.ts';

type Here = { property: DemoProperty; world: StayWorld; today: Day; now: Instant };

const DAY_MS = 86_400_000;
const NIGHTS = 3;
/** Groups: how many days ago each was agreed on, how far ahead it arrives, its rooms and how many have names. */
const GROUPS = [
  { name: 'Harbor regatta', agreedAgo: 26, arrivesIn: 38, rooms: 12, named: 7 },
  { name: 'Wedding Lowe and Vidal', agreedAgo: 12, arrivesIn: 72, rooms: 8, named: 3 },
] as const;
/** Numbers of stays of groups are above those of the plan. */
const FIRST_OF_GROUPS = 900_000;
const REDUCED = 0.82;

/** Two groups with rooms that are picked up one after the other. */
export function* demoGroup(played: PlayedProperty, player: StayPlayer, here: Here): Iterable<PastEvent> {
  const { property, world, today, now } = here;
  const [type] = property.types;
  for (const [index, { name, agreedAgo, arrivesIn, rooms, named }] of GROUPS.entries()) {
    const agreedAt = now - agreedAgo * DAY_MS;
    const groupId = demoId(world.seed, 'group', world.offset + index, agreedAt);
    const first = today + arrivesIn;
    const rate = Math.round((demoRate(property.market!, type!, first) * REDUCED) / 100) * 100;
    const blocks = Array.from({ length: NIGHTS }, (_, night) => ({
      roomType: type!.code,
      day: first + night,
      rooms,
      rate,
    }));
    const command = { type: 'CREATE_GROUP' as const, groupId, name, cutoff: first - 14, blocks };
    yield { at: agreedAt, happens: () => void played.do(command, agreedAt, 'demo-manager') };
    for (let room = 0; room < named; room++) {
      const bookedAt = agreedAt + ((room + 1) * (agreedAgo - 1) * DAY_MS) / (named + 1);
      const stay: PlannedStay = {
        n: world.offset + FIRST_OF_GROUPS + index * 100 + room,
        guest: world.offset + FIRST_OF_GROUPS + index * 100 + room,
        roomType: type!.code,
        arrival: first,
        departure: first + NIGHTS,
        adults: 2,
        way: 'PREPAID',
        bookedAt,
        outcome: 'STAYS',
        arrivesAt: now + DAY_MS,
        leavesAt: now + DAY_MS,
      };
      yield* player.events(property, stay, bookedAt, groupId);
    }
  }
}

/** Rooms under repair: which kind, since when and until when. */
const REPAIRS = [
  { kind: 'OUT_OF_ORDER', from: 1, to: 5, reason: 'New carpet', saidAgo: 2 },
  { kind: 'OUT_OF_ORDER', from: 9, to: 12, reason: 'Bathroom is renovated', saidAgo: 6 },
  { kind: 'OUT_OF_SERVICE', from: 3, to: 3, reason: 'Minibar is replaced', saidAgo: 1 },
] as const;

/** Some rooms are repaired, in the nights to come. */
export function* demoMaintenance(played: PlayedProperty, { world, property, today, now }: Here): Iterable<PastEvent> {
  for (const [index, { kind, from, to, reason, saidAgo }] of REPAIRS.entries()) {
    const at = now - saidAgo * DAY_MS;
    const happens = (): void => {
      const own = [...played.draft.rooms.values()].filter(({ roomType }) => roomType === property.types[0]!.code);
      const roomNumber = own.findLast(
        (room) => played.draft.maintenances.size < 9 && isUnused(played, room.roomNumber, index),
      )?.roomNumber;
      if (roomNumber === undefined) return;
      const maintenanceId = demoId(world.seed, 'maintenance', world.offset + index, at);
      const nights = { firstNight: today + from, lastNight: today + to };
      played.do(
        { type: 'OPEN_MAINTENANCE', maintenance: { maintenanceId, roomNumber, kind, ...nights, reason } },
        at,
        'demo-manager',
      );
    };
    yield { at, happens };
  }
}

/** Each in a room of its own. */
function isUnused({ draft }: PlayedProperty, roomNumber: string, index: number): boolean {
  const busy = [...draft.maintenances.values()].some((one) => one.roomNumber === roomNumber);
  return !busy && Number(roomNumber) % 3 === index % 3;
}
