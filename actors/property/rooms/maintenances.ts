import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { ShortNight } from '../../../src/kernel/rules/commands/properties.ts';
import { formatDay } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { MaintenanceId } from '../../../src/kernel/rules/ids.ts';
import { isConcurrent, type Maintenance, nightsOfMaintenance } from '../../../src/rooms/rules/maintenance.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { shortNights } from '../inventory.ts';
import { roomNumbered } from './assign-room.ts';
import {
  checkEmpty,
  countClosedRooms,
  endFromTonight,
  followMaintenances,
  maintenancesOf,
  storeMaintenance,
} from './closed-rooms.ts';

/** Maintenances of a property that are not over, at most: all of them are in memory. */
const MAX_MAINTENANCES = 5_000;
/** First night of a maintenance, in days from today, at most. */
const MAX_DAYS_AHEAD = 3_650;

/**
 * Plans the nights on which a room is repaired or kept out of use (docs/concepts/rooms.md#maintenance). Out of order
 * takes it off sale, even where the rest of its type then falls short: the answer lists those nights.
 * @throws DomainError ROOM_NOT_FOUND, ROOM_OCCUPIED, MAINTENANCE_OVERLAPS, VALIDATION_FAILED
 */
export function decideOpenMaintenance(
  draft: Draft,
  { maintenance: asked }: CommandOf<'OPEN_MAINTENANCE'>,
  context: DecisionContext,
): Decision<'OPEN_MAINTENANCE'> {
  const maintenance = { ...asked, createdAt: context.now, updatedAt: context.now };
  if (maintenance.firstNight < draft.today) throw past('from');
  return put(draft, maintenance, undefined, context);
}

/** @throws DomainError MAINTENANCE_NOT_FOUND, and those of `decideOpenMaintenance` */
export function decideChangeMaintenance(
  draft: Draft,
  { maintenance: asked }: CommandOf<'CHANGE_MAINTENANCE'>,
  context: DecisionContext,
): Decision<'CHANGE_MAINTENANCE'> {
  const before = maintenanceOf(draft, asked.maintenanceId);
  const next = { ...asked, createdAt: before.createdAt, updatedAt: context.now };
  if (next.firstNight !== before.firstNight && next.firstNight < draft.today) throw past('from');
  if (next.roomNumber !== before.roomNumber && next.firstNight < draft.today)
    throw new DomainError('VALIDATION_FAILED', 'Nights of the room have passed.', {
      errors: [{ pointer: '/roomNumber', code: 'FIXED', detail: 'of a maintenance that has begun never changes' }],
    });
  if (next.lastNight !== undefined && next.lastNight < draft.today - 1) throw past('to');
  return put(draft, next, before, context);
}

/** Gives a room back: a maintenance that has begun ends with the night before. @throws DomainError MAINTENANCE_NOT_FOUND */
export function decideEndMaintenance(
  draft: Draft,
  { maintenanceId }: CommandOf<'END_MAINTENANCE'>,
  context: DecisionContext,
): Decision<'END_MAINTENANCE'> {
  const before = maintenanceOf(draft, maintenanceId);
  const setup = [
    ...endFromTonight(draft, before, context),
    ...followMaintenances(draft, [before.roomNumber], context),
  ];
  countClosedRooms(draft);
  return { result: null, entity: maintenanceId, facts: { setup } };
}

function put(
  draft: Draft,
  next: Maintenance,
  before: Maintenance | undefined,
  context: DecisionContext,
): Decision<'OPEN_MAINTENANCE'> & Decision<'CHANGE_MAINTENANCE'> {
  checkNights(draft, next);
  checkRoom(draft, next, before);
  const rooms = [...new Set([before?.roomNumber ?? next.roomNumber, next.roomNumber])];
  const setup = [...storeMaintenance(draft, next, before), ...followMaintenances(draft, rooms, context)];
  countClosedRooms(draft);
  return {
    result: { maintenance: next, oversold: shortBy(draft, next) },
    entity: next.maintenanceId,
    facts: { setup },
  };
}

function checkNights({ today }: Draft, { firstNight, lastNight = firstNight }: Maintenance): void {
  if (lastNight < firstNight)
    throw new DomainError('VALIDATION_FAILED', 'The maintenance ends before it begins.', {
      errors: [{ pointer: '/to', code: 'REVERSED', detail: 'is before from' }],
    });
  if (Math.max(firstNight, lastNight) > today + MAX_DAYS_AHEAD)
    throw new DomainError('VALIDATION_FAILED', 'The maintenance is too far ahead.', {
      errors: [{ pointer: '/from', code: 'TOO_FAR', detail: `is more than ${MAX_DAYS_AHEAD} days ahead` }],
    });
}

function past(field: string): DomainError {
  return new DomainError('VALIDATION_FAILED', 'The night has passed.', {
    errors: [{ pointer: `/${field}`, code: 'PAST', detail: 'is before the business date' }],
  });
}

function checkRoom(draft: Draft, next: Maintenance, before: Maintenance | undefined): void {
  const { roomNumber } = roomNumbered(draft, next.roomNumber);
  for (const other of maintenancesOf(draft, roomNumber))
    if (other.maintenanceId !== next.maintenanceId && isConcurrent(other, next))
      throw new DomainError('MAINTENANCE_OVERLAPS', 'The room has another maintenance on one of these nights.', {
        date: formatDay(Math.max(other.firstNight, next.firstNight)),
        extra: { maintenanceId: other.maintenanceId },
      });
  if (!before && draft.maintenances.size >= MAX_MAINTENANCES)
    throw new DomainError('VALIDATION_FAILED', 'The property has too many maintenances.', {
      errors: [
        { parameter: 'propertyId', code: 'TOO_MANY', detail: `has ${MAX_MAINTENANCES} of them, which is the most` },
      ],
    });
  if (next.kind === 'OUT_OF_ORDER') checkEmpty(draft, next);
}

function maintenanceOf(draft: Draft, id: MaintenanceId): Maintenance {
  const found = draft.maintenances.get(id);
  if (!found) throw new DomainError('MAINTENANCE_NOT_FOUND', 'The property has no such maintenance, or it is over.');
  return found;
}

/** Nights of a maintenance on which its type now falls short. */
function shortBy(draft: Draft, maintenance: Maintenance): ShortNight[] {
  if (maintenance.kind !== 'OUT_OF_ORDER') return [];
  const { roomType } = roomNumbered(draft, maintenance.roomNumber);
  const { first, nights } = draft.slab(roomType)!;
  const { from, to } = nightsOfMaintenance(maintenance);
  const start = Math.max(from, first);
  const length = Math.max(0, Math.min(to, first + nights) - start);
  return shortNights(
    draft,
    roomType,
    Array.from({ length }, (_, night) => start + night),
  );
}
