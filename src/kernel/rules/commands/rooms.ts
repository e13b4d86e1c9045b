import type { Room } from '../../../properties/rules/property.ts';
import type { RoomAssignment } from '../../../rooms/rules/assign-rooms.ts';
import type { HousekeepingTask } from '../../../rooms/rules/housekeeping.ts';
import type { Maintenance } from '../../../rooms/rules/maintenance.ts';
import type { Reservation } from '../../../stay/rules/reservation.ts';
import type { DryRun } from '../commands.ts';
import type { HousekeepingTaskId, MaintenanceId, ReservationId } from '../ids.ts';
import type { ShortNight } from './properties.ts';

/** A maintenance as stored, and the nights on which its type has fewer rooms than are sold. */
type MaintenanceStored = {
  maintenance: Maintenance;
  oversold: ShortNight[];
};
type MaintenanceAsked = Omit<Maintenance, 'createdAt' | 'updatedAt'>;

/** A housekeeping task after a command, and its room. */
export type TaskInRoom = { task: HousekeepingTask; room: Room };

export type RoomCommands = {
  OPEN_MAINTENANCE: { command: { maintenance: MaintenanceAsked }; result: MaintenanceStored };
  CHANGE_MAINTENANCE: { command: { maintenance: MaintenanceAsked }; result: MaintenanceStored };
  END_MAINTENANCE: { command: { maintenanceId: MaintenanceId }; result: null };
  /** Brings rooms in line with maintenances, and housekeeping tasks with rooms, after nodes of a release without them. */
  ALIGN_ROOMS: { command: object; result: null };
  CHANGE_HOUSEKEEPING_TASK: {
    /** null takes attendant or notes away; absent leaves them. */
    command: { taskId: HousekeepingTaskId; attendant?: string | null; notes?: string | null };
    result: TaskInRoom;
  };
  START_HOUSEKEEPING_TASK: { command: { taskId: HousekeepingTaskId }; result: TaskInRoom };
  COMPLETE_HOUSEKEEPING_TASK: { command: { taskId: HousekeepingTaskId }; result: TaskInRoom };
  INSPECT_HOUSEKEEPING_TASK: {
    command: { taskId: HousekeepingTaskId; passed: boolean; notes?: string };
    result: TaskInRoom;
  };
  ASSIGN_ROOM: {
    command: DryRun & { reservationId: ReservationId; roomNumber: string; by?: string; ifVersion?: number };
    result: { reservation: Reservation; room: Room; upgraded: boolean; previousRoomNumber?: string };
  };
  /** Applies room assignments that were computed outside the actor, for arrivals and for stays that make room. */
  ASSIGN_ROOMS: {
    command: {
      assignments: Pick<RoomAssignment, 'reservationId' | 'roomNumber' | 'previousRoomNumber' | 'unmetWishes'>[];
      /** A client's request: committed under its key also when nothing changes, so that a repeat finds its answer. */
      keepsAnswer?: true;
    };
    /** Applied assignments, and those skipped because the state had changed. */
    result: { assigned: string[]; skipped: string[] };
  };
};
