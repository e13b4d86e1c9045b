import type { Address } from '../domain/caller.ts';
import type { Day } from '../domain/dates.ts';
import type { PlanStay } from '../domain/room-plan.ts';

/** A stay that needs a room, with those who are to fit into it. */
export type StayToRoom = PlanStay & { adults: number; children: number };

/** Stays with and without a room, as the database has them. */
export interface RoomStays {
  /**
   * CONFIRMED stays that are not over on `today` and those in house, with wishes of their guests and loyalty, for which
   * departures from `since` on count; in one snapshot. @throws Error when there are more than anybody could arrange
   */
  read(to: Address, today: Day, since: Day): Promise<StayToRoom[]>;
}
