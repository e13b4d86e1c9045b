import { formatDay } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { Facts } from '../../../src/kernel/rules/journal.ts';
import type { Room, RoomStatus } from '../../../src/properties/rules/property.ts';
import {
  includesNight,
  isMaintenanceOver,
  type Maintenance,
  nightsOfMaintenance,
} from '../../../src/rooms/rules/maintenance.ts';
import { shareNights } from '../../../src/rooms/rules/room-plan.ts';
import { nightsFromToday } from '../../../src/rooms/rules/rooms-of-type.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import { derivedId } from '../derived-id.ts';
import type { Draft } from '../draft.ts';
import type { State } from '../state.ts';
import { alignTasks } from './housekeeping.ts';

/** Rooms that maintenances take off sale: their states, and the counts of nights (docs/concepts/rooms.md#maintenance). */
type Setup = NonNullable<Facts['setup']>;

/** A guest in house is not put out of the room: somebody has to move him first. @throws DomainError ROOM_OCCUPIED */
export function checkEmpty(draft: Draft, next: Pick<Maintenance, 'roomNumber' | 'firstNight' | 'lastNight'>): void {
  const closed = nightsOfMaintenance(next);
  for (const stay of draft.roomPlan.inRoom(next.roomNumber)) {
    if (stay.status !== 'CHECKED_IN') continue;
    const nights = nightsFromToday(stay, draft.today);
    if (!shareNights(nights, closed)) continue;
    const { confirmationNumber } = draft.needed(stay.reservationId);
    throw new DomainError(
      'ROOM_OCCUPIED',
      `The guest of ${confirmationNumber} has the room until ${formatDay(nights.to)}.`,
      {
        date: formatDay(Math.max(nights.from, closed.from)),
        extra: { reservationId: stay.reservationId, confirmationNumber },
      },
    );
  }
}

/** Maintenances of a room that are not over. */
export function* maintenancesOf(
  { maintenances }: Pick<State, 'maintenances'>,
  roomNumber: string,
): Iterable<Maintenance> {
  for (const one of maintenances.values()) if (one.roomNumber === roomNumber) yield one;
}

/** Rooms that are out of order on one of the nights for which a stay needs a room from today on. */
export function roomsClosedFor(draft: Draft, { stay, status }: Reservation): ReadonlySet<string> {
  const nights = nightsFromToday({ ...stay, status }, draft.today);
  const closed = new Set<string>();
  for (const one of draft.maintenances.values())
    if (one.kind === 'OUT_OF_ORDER' && shareNights(nightsOfMaintenance(one), nights)) closed.add(one.roomNumber);
  return closed;
}

export function isClosedFor(draft: Draft, roomNumber: string, reservation: Reservation): boolean {
  return roomsClosedFor(draft, reservation).has(roomNumber);
}

/** The maintenance that takes a room off sale tonight. */
function closingTonight(state: Pick<State, 'maintenances' | 'today'>, roomNumber: string): Maintenance | undefined {
  for (const one of maintenancesOf(state, roomNumber))
    if (one.kind === 'OUT_OF_ORDER' && includesNight(one, state.today)) return one;
  return undefined;
}

/** State of a room that its guest has left. */
export function stateAfterGuest(draft: Draft, roomNumber: string): RoomStatus {
  return closingTonight(draft, roomNumber) ? 'OUT_OF_ORDER' : 'DIRTY';
}

/** Stores a maintenance; returns its fact for the journal. */
export function storeMaintenance(draft: Draft, next: Maintenance, before?: Maintenance): Setup {
  draft.putMaintenance(next);
  if (isMaintenanceOver(next, draft.today)) draft.forgetMaintenance(next.maintenanceId);
  return [{ kind: 'maintenance', id: next.maintenanceId, ...(before && { before }), after: next }];
}

/** Ends a maintenance with the night before today; one that has not begun is removed. */
export function endFromTonight(draft: Draft, before: Maintenance, { now }: DecisionContext): Setup {
  if (before.firstNight < draft.today)
    return storeMaintenance(draft, { ...before, lastNight: draft.today - 1, updatedAt: now }, before);
  draft.removeMaintenance(before.maintenanceId);
  return [{ kind: 'maintenance', id: before.maintenanceId, before, after: null }];
}

/** Removes the maintenances of a room that is removed. */
export function endMaintenancesOf(draft: Draft, roomNumber: string, context: DecisionContext): Setup {
  const setup = [...maintenancesOf(draft, roomNumber)].flatMap((one) => endFromTonight(draft, one, context));
  countClosedRooms(draft);
  return setup;
}

/** Checks that rooms may get these states. @throws DomainError ROOM_OCCUPIED */
export function checkStates(draft: Draft, rooms: readonly Pick<Room, 'roomNumber' | 'status'>[]): void {
  for (const { roomNumber, status } of rooms)
    if (status === 'OUT_OF_ORDER' && !closingTonight(draft, roomNumber))
      checkEmpty(draft, untilNext(draft, roomNumber));
}

/**
 * Lets maintenances follow the states of rooms that somebody has set: out of order opens one from today without an
 * end, and any other state ends the one of tonight (docs/concepts/rooms.md#maintenance). The caller checks the states.
 */
export function followStates(draft: Draft, rooms: readonly Room[], context: DecisionContext): Setup {
  const setup = rooms.flatMap((room) => {
    const tonight = closingTonight(draft, room.roomNumber);
    if (room.status === 'OUT_OF_ORDER') return tonight ? [] : closeFromToday(draft, room, context);
    return tonight ? endFromTonight(draft, tonight, context) : [];
  });
  countClosedRooms(draft);
  return setup;
}

/** Opens a maintenance from today; one that only keeps the room out of service tonight becomes this one. */
function closeFromToday(draft: Draft, { roomNumber, notes }: Room, { now }: DecisionContext): Setup {
  const tonight = [...maintenancesOf(draft, roomNumber)].find((one) => includesNight(one, draft.today));
  const { address, seq } = draft.base;
  const maintenance: Maintenance = {
    // Rooms of other properties have the same number at the same `seq`.
    maintenanceId: derivedId(
      address.tenantId,
      address.propertyId,
      roomNumber,
      String(seq),
      String(draft.maintenancesPut.size),
    ),
    ...untilNext(draft, roomNumber),
    reason: notes ?? 'Out of order',
    createdAt: now,
    ...tonight,
    kind: 'OUT_OF_ORDER',
    updatedAt: now,
  };
  return storeMaintenance(draft, maintenance, tonight);
}

/** From today until the next maintenance of the room. */
function untilNext(draft: Draft, roomNumber: string): Pick<Maintenance, 'roomNumber' | 'firstNight' | 'lastNight'> {
  let next = Infinity;
  for (const { firstNight } of maintenancesOf(draft, roomNumber))
    if (firstNight > draft.today) next = Math.min(next, firstNight);
  return { roomNumber, firstNight: draft.today, ...(next !== Infinity && { lastNight: next - 1 }) };
}

/**
 * Lets the states of rooms follow their maintenances: a room that is closed tonight is out of order unless a guest is
 * in it, and one that is open again has to be cleaned, or still has its guest.
 */
export function followMaintenances(
  draft: Draft,
  rooms: Iterable<string>,
  { now: updatedAt }: DecisionContext,
): Setup {
  const setup: Setup = [];
  for (const roomNumber of rooms) {
    const before = draft.rooms.get(roomNumber);
    if (!before) continue;
    const isClosed = closingTonight(draft, roomNumber) !== undefined;
    const isOut = before.status === 'OUT_OF_ORDER';
    if (isClosed === isOut || (isClosed && before.reservationId !== undefined)) continue;
    const opened = before.reservationId === undefined ? 'DIRTY' : 'OCCUPIED';
    const after: Room = { ...before, status: isClosed ? 'OUT_OF_ORDER' : opened, updatedAt };
    draft.putRoom(after);
    setup.push({ kind: 'room', id: roomNumber, before, after });
  }
  return setup;
}

/**
 * Brings rooms and counts of nights in line with the maintenances of today: when the business date has rolled, and
 * after nodes of a release without maintenances, which put rooms out of order by their state alone.
 */
export function alignMaintenances(draft: Draft, context: DecisionContext): Setup {
  const over = [...draft.maintenances.values()].filter((one) => isMaintenanceOver(one, draft.today));
  const opened = new Set(over.map(({ roomNumber }) => roomNumber));
  for (const { maintenanceId } of over) draft.forgetMaintenance(maintenanceId);
  const setup: Setup = [];
  for (const room of draft.rooms.values())
    if (isUnknown(draft, room) && !opened.has(room.roomNumber)) setup.push(...closeFromToday(draft, room, context));
  setup.push(...followMaintenances(draft, draft.rooms.keys(), context));
  countClosedRooms(draft);
  return setup;
}

export function decideAlignRooms(draft: Draft, context: DecisionContext): Decision<'ALIGN_ROOMS'> {
  const setup = alignMaintenances(draft, context);
  alignTasks(draft, context);
  const isSame = setup.length === 0 && draft.cells.size === 0 && draft.housekeepingPut.size === 0;
  return {
    result: null,
    entity: draft.property!.propertyId,
    facts: setup.length > 0 ? { setup } : {},
    ...(isSame && { dryRun: true }),
  };
}

/** A room whose state alone says that it is out of order. */
function isUnknown(
  state: Pick<State, 'maintenances' | 'today'>,
  { roomNumber, status, reservationId }: Room,
): boolean {
  return status === 'OUT_OF_ORDER' && reservationId === undefined && !closingTonight(state, roomNumber);
}

/** Whether rooms and counts of nights are in line with the maintenances. */
export function areRoomsAligned(state: Pick<State, 'rooms' | 'maintenances' | 'slabs' | 'today'>): boolean {
  for (const room of state.rooms.values()) if (isUnknown(state, room)) return false;
  for (const _ of miscounted(state)) return false;
  return true;
}

/** Sets how many rooms each night has out of order, from the maintenances (I1). */
export function countClosedRooms(draft: Draft): void {
  for (const { roomType, day, rooms } of miscounted(draft))
    draft.editCell(roomType, day, (cells) => cells.setCount(day, 'outOfOrder', rooms));
}

/** Nights whose count of rooms out of order is not that of the maintenances. */
function* miscounted({
  slabs,
  rooms,
  maintenances,
}: Pick<State, 'slabs' | 'rooms' | 'maintenances'>): Iterable<{ roomType: string; day: number; rooms: number }> {
  const closed = new Map([...slabs].map(([roomType, { nights }]) => [roomType, new Uint16Array(nights)]));
  for (const one of maintenances.values()) {
    const roomType = rooms.get(one.roomNumber)?.roomType;
    const slab = roomType === undefined ? undefined : slabs.get(roomType);
    if (!slab || one.kind !== 'OUT_OF_ORDER') continue;
    const counts = closed.get(roomType!)!;
    const { from, to } = nightsOfMaintenance(one);
    const last = Math.min(to - slab.first, slab.nights);
    for (let night = Math.max(from - slab.first, 0); night < last; night++) counts[night]! += 1;
  }
  for (const [roomType, slab] of slabs)
    for (const [night, count] of closed.get(roomType)!.entries())
      if (slab.count(slab.first + night, 'outOfOrder') !== count)
        yield { roomType, day: slab.first + night, rooms: count };
}
