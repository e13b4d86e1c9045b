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
  /** Applies room assignments that were computed outside the actor, for arrivals and for stays that make room. */
  ASSIGN_ROOMS: {
    command: { assignments: Pick<RoomAssignment, 'reservationId' | 'roomNumber' | 'previousRoomNumber'>[] };
    /** Applied assignments, and those skipped because the state had changed. */
    result: { assigned: string[]; skipped: string[] };
  };
};
