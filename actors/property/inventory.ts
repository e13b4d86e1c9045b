import type { CommandOf } from '../../src/kernel/rules/commands.ts';
import type { ExternalStamp, ShortNight } from '../../src/kernel/rules/commands/properties.ts';
import type { Day } from '../../src/kernel/rules/dates.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import { checkNights } from '../../src/kernel/rules/sale-window.ts';
import type { Decision } from './decision.ts';
import type { Draft } from './draft.ts';
import { fewRuns, runsOf } from './runs.ts';
import { MAX_ROOMS, type Slab } from './slab.ts';
import { saleWindow } from './state.ts';

/**
 * Sets counts of the nights from `start` to `end`, both inclusive. A cut below what is sold is accepted: the answer
 * lists the oversold nights with their shortfall, and they sell nothing before it is 0 (I1).
 */
export function decideSetInventory(draft: Draft, command: CommandOf<'SET_INVENTORY'>): Decision<'SET_INVENTORY'> {
  const { roomType, start, end, totalRooms, blockedRooms, overbookingLimit, told: stamp } = command;
  const nights = end - start + 1;
  const slab = draft.slab(roomType);
  if (!slab) throw new DomainError('UNKNOWN_ROOM_TYPE', `The property has no room type ${roomType}.`);
  checkNights(saleWindow(draft), command);
  checkCounts(command);
  const { policies } = draft.property!.metadata;
  const days = nightsOf(command).filter((day) => !isOlder(command.told, slab.stamp(day)));
  if (days.length === 0)
    return { result: { oversold: [], stale: nights }, entity: roomType, facts: {}, dryRun: true };
  checkBlock(draft, command, days, policies.overbookingLimit);
  const before = fewRuns(runsOf(days, (day) => countsOf(slab, day)));
  for (const day of days) {
    draft.editCell(roomType, day, (cells) => {
      if (totalRooms !== undefined) cells.setTotal(day, totalRooms);
      if (blockedRooms !== undefined) cells.setCount(day, 'external', blockedRooms);
      if (overbookingLimit !== undefined) cells.setOverbooking(day, overbookingLimit);
      if (stamp) cells.setStamp(day, stamp);
    });
  }
  const oversold = shortNights(draft, roomType, days);
  return {
    result: { oversold, ...(days.length < nights && { stale: nights - days.length }) },
    entity: roomType,
    facts: {
      setup: [
        {
          kind: 'inventory',
          id: roomType,
          before,
          after: { start, end, totalRooms, blockedRooms, overbookingLimit },
        },
      ],
    },
  };
}

/** Those of the nights on which the type has a shortfall. */
export function shortNights(draft: Draft, roomType: string, days: readonly Day[]): ShortNight[] {
  const { overbookingLimit } = draft.property!.metadata.policies;
  const slab = draft.slab(roomType)!;
  return days.flatMap((day) => {
    const free = slab.free(day, overbookingLimit);
    return free < 0 ? [{ roomType, day, shortfall: -free }] : [];
  });
}

/** Whether a newer stamp of the night is known. With equal stamps the later record wins. */
function isOlder(stamp: ExternalStamp | undefined, known: ExternalStamp | undefined): boolean {
  if (!stamp || !known) return false;
  if (stamp.at !== known.at) return stamp.at < known.at;
  return stamp.seq !== null && known.seq !== null && stamp.seq < known.seq;
}

function nightsOf({ start, end }: CommandOf<'SET_INVENTORY'>): Day[] {
  return Array.from({ length: end - start + 1 }, (_, night) => start + night);
}

/** @throws DomainError VALIDATION_FAILED for a count that a cell cannot hold */
function checkCounts(command: CommandOf<'SET_INVENTORY'>): void {
  const errors = (['totalRooms', 'blockedRooms', 'overbookingLimit'] as const)
    .filter((field) => (command[field] ?? 0) > MAX_ROOMS)
    .map((field) => ({ pointer: `/${field}`, code: 'TOO_BIG', detail: `must be at most ${MAX_ROOMS}` }));
  if (errors.length > 0) throw new DomainError('VALIDATION_FAILED', 'A night cannot have so many rooms.', { errors });
}

/** The counts that the command may set. A limit of null means that the property's limit applies. */
function countsOf(
  slab: Slab,
  day: Day,
): { totalRooms: number; blockedRooms: number; overbookingLimit: number | null } {
  return {
    totalRooms: slab.total(day),
    blockedRooms: slab.count(day, 'external'),
    overbookingLimit: slab.overbooking(day),
  };
}

/** Checks a block: it takes rooms off sale, so it must not exceed the free rooms (I1). */
function checkBlock(
  draft: Draft,
  command: CommandOf<'SET_INVENTORY'>,
  days: readonly Day[],
  propertyLimit: number,
): void {
  if (command.blockedRooms === undefined) return;
  const slab = draft.slab(command.roomType)!;
  for (const day of days) {
    const more = command.blockedRooms - slab.count(day, 'external');
    const total = (command.totalRooms ?? slab.total(day)) - slab.total(day);
    const limit = slab.overbooking(day) ?? propertyLimit;
    const limitMore = (command.overbookingLimit ?? limit) - limit;
    if (more > 0 && slab.free(day, propertyLimit) + total + limitMore < more)
      throw new DomainError('ROOM_NOT_AVAILABLE', 'Not so many rooms are free to be blocked.');
  }
}
