import type { Address } from '../kernel/rules/caller.ts';
import type { Day } from '../kernel/rules/dates.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { PlanStay } from './rules/room-plan.ts';

/** A room that has to be cleaned, or was: opened when it becomes DIRTY, done when it is ready again. */
export type HousekeepingTask = {
  taskId: string;
  roomNumber: string;
  taskType: string;
  status: 'PENDING' | 'COMPLETED';
  notes?: string;
  createdAt: Instant;
  completedAt?: Instant;
};

/** Tasks that came with the states of rooms (docs/concepts/rooms.md#housekeeping). */
export interface Housekeeping {
  /** What is to be done, the oldest first, at most 500. */
  open(to: Address): Promise<HousekeepingTask[]>;
}

/** A stay that needs a room, with those who are to fit into it. */
export type StayToRoom = PlanStay & { adults: number; children: number };

/** Stays with and without a room, as the database has them. */
export interface RoomStays {
  /**
   * CONFIRMED stays that are not over on `today` and those in house, with preferences of their guests and loyalty,
   * for which departures from `since` on count; in one snapshot. @throws Error when there are more than anybody could
   * arrange
   */
  read(to: Address, today: Day, since: Day): Promise<StayToRoom[]>;
}
