import type { Address } from '../kernel/rules/caller.ts';
import type { Day } from '../kernel/rules/dates.ts';
import type { MaintenanceId } from '../kernel/rules/ids.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { Maintenance } from './rules/maintenance.ts';
import type { PlanStay } from './rules/room-plan.ts';

/** A cleaning task: opened when its room becomes DIRTY, done when the room is ready again. */
export type HousekeepingTask = {
  taskId: string;
  roomNumber: string;
  taskType: string;
  status: 'PENDING' | 'COMPLETED';
  notes?: string;
  createdAt: Instant;
  completedAt?: Instant;
};

/**
 * Open tasks that follow from the states of rooms (docs/concepts/rooms.md#housekeeping), oldest first, at most 500.
 */
export type OpenHousekeeping = (to: Address) => Promise<HousekeepingTask[]>;

/** A maintenance of a property, also one that is over. */
export type StoredMaintenance = (to: Address, id: MaintenanceId) => Promise<Maintenance | undefined>;

/** A stay that needs a room, with the party that has to fit into it. */
export type StayToRoom = PlanStay & { adults: number; children: number };

/**
 * Stays with and without a room, as the database has them in one snapshot: CONFIRMED ones that are not over on `today`
 * and those in house, with wishes and loyalty of their guests, for which departures from `since` on count.
 * @throws Error when there are too many to arrange
 */
export type RoomStays = (to: Address, today: Day, since: Day) => Promise<StayToRoom[]>;
