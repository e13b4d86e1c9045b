import type { Caller } from '../domain/caller.ts';
import type { Day } from '../domain/dates.ts';
import type { Room } from '../domain/property.ts';
import type { RoomConflict } from '../domain/room-conflicts.ts';
import { loyaltySince } from './loyalty.ts';
import { onlyProperty } from './only-property.ts';
import { existing } from './read-availability.ts';
import type { Services } from './services.ts';

/** A room with the next arrival that it was given to. */
export type RoomNow = { propertyId: string; room: Room; nextArrival?: Day; seq: number };

/** One room as the desk sees it (contracts.md 7, `rooms/{n}/status`). @throws Refusal ROOM_NOT_FOUND */
export async function readRoom(
  services: Services,
  caller: Caller,
  roomNumber: string,
  propertyId?: string,
): Promise<RoomNow> {
  const to = await onlyProperty(services, caller, propertyId);
  const view = await services.properties.view(to);
  const room = existing(
    view.setup.rooms.find((one) => one.roomNumber === roomNumber),
    'ROOM_NOT_FOUND',
  );
  const nextArrival = view.nextArrival(roomNumber);
  return { propertyId: to.propertyId, room, seq: view.seq, ...(nextArrival !== undefined && { nextArrival }) };
}

/** What somebody at the desk has to solve about rooms (contracts.md 7, `room-assignments/conflicts`). */
export async function readConflicts(
  services: Services,
  caller: Caller,
  propertyId?: string,
): Promise<{ conflicts: RoomConflict[]; seq: number }> {
  const to = await onlyProperty(services, caller, propertyId);
  const { setup, businessDate: today, seq } = await services.properties.view(to);
  const stays = await services.roomStays.read(to, today, loyaltySince(services));
  const conflicts = await services.computer.run('findConflicts', { rooms: setup.rooms, stays, today });
  return { conflicts, seq };
}
