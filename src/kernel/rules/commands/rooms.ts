import type { Room } from '../../../properties/rules/property.ts';
import type { RoomAssignment } from '../../../rooms/rules/assign-rooms.ts';
import type { Maintenance } from '../../../rooms/rules/maintenance.ts';
import type { Reservation } from '../../../stay/rules/reservation.ts';
import type { DryRun } from '../commands.ts';
import type { MaintenanceId, ReservationId } from '../ids.ts';
import type { ShortNight } from './properties.ts';

/** A maintenance as stored, and the nights on which its type has fewer rooms than are sold. */
type MaintenanceStored = {
  maintenance: Maintenance;
  oversold: ShortNight[];
};
type MaintenanceAsked = Omit<Maintenance, 'createdAt' | 'updatedAt'>;

export type RoomCommands = {
  OPEN_MAINTENANCE: { command: { maintenance: MaintenanceAsked }; result: MaintenanceStored };
  CHANGE_MAINTENANCE: { command: { maintenance: MaintenanceAsked }; result: MaintenanceStored };
  END_MAINTENANCE: { command: { maintenanceId: MaintenanceId }; result: null };
  /** Brings rooms and nights in line with maintenances, after nodes of a release that had none. */
  ALIGN_ROOMS: { command: object; result: null };
  ASSIGN_ROOM: {
    command: DryRun & { reservationId: ReservationId; roomNumber: string; by?: string; ifVersion?: number };
    result: { reservation: Reservation; room: Room; upgraded: boolean; previousRoomNumber?: string };
  };
  /** Applies room assignments that were computed outside the actor, for arrivals and for stays that make room. */
  ASSIGN_ROOMS: {
    command: {
      assignments: Pick<RoomAssignment, 'reservationId' | 'roomNumber' | 'previousRoomNumber' | 'unmetWishes'>[];
    };
    /** Applied assignments, and those skipped because the state had changed. */
    result: { assigned: string[]; skipped: string[] };
  };
};
