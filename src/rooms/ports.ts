import type { Page, PagePosition } from '../kernel/ports.ts';
import type { Address } from '../kernel/rules/caller.ts';
import type { Day } from '../kernel/rules/dates.ts';
import type { HousekeepingTaskId, MaintenanceId } from '../kernel/rules/ids.ts';
import type { RoomsDone } from './rules/housekeeping-minutes.ts';
import type { HousekeepingTask, HousekeepingTaskStatus } from './rules/housekeeping.ts';
import type { Maintenance } from './rules/maintenance.ts';
import type { PlanStay } from './rules/room-plan.ts';

/** Which housekeeping tasks a list has. */
export type HousekeepingFilter = {
  status: HousekeepingTaskStatus;
  attendant?: string;
  /** Only tasks of these rooms. */
  roomNumbers?: readonly string[];
};

/** Housekeeping tasks in the database, also those that are over (docs/concepts/rooms.md#housekeeping). */
export interface HousekeepingReader {
  get(to: Address, id: HousekeepingTaskId): Promise<HousekeepingTask | undefined>;
  /** Newest first. */
  list(to: Address, filter: HousekeepingFilter, limit: number, after?: PagePosition): Promise<Page<HousekeepingTask>>;
  /** Tasks that were completed on business dates, both inclusive, by attendant and type; at most `limit` lines. */
  done(to: Address, first: Day, last: Day, limit: number): Promise<RoomsDone[]>;
}

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
