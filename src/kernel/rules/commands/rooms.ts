import type { Room } from '../../../properties/rules/property.ts';
import type { RoomAssignment } from '../../../rooms/rules/assign-rooms.ts';
import type { Reservation } from '../../../stay/rules/reservation.ts';
import type { DryRun } from '../commands.ts';
import type { ReservationId } from '../ids.ts';

export type RoomCommands = {
  ASSIGN_ROOM: {
    command: DryRun & { reservationId: ReservationId; roomNumber: string; by?: string; ifVersion?: number };
    result: { reservation: Reservation; room: Room; upgraded: boolean; previousRoomNumber?: string };
  };
  /** Rooms for arrivals, and for those who make place for them, as they were computed beside the actor. */
  ASSIGN_ROOMS: {
    command: { assignments: Pick<RoomAssignment, 'reservationId' | 'roomNumber' | 'previousRoomNumber'>[] };
    /** Who was given one, and for whom it was too late: their state had moved on. */
    result: { assigned: string[]; skipped: string[] };
  };
};
