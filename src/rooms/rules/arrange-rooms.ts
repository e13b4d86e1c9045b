import type { Day } from '../../kernel/rules/dates.ts';
import { arrivalsDue, type RoomAssignments, assignRooms } from './assign-rooms.ts';
import { conflictsIn, type RoomConflict } from './room-conflicts.ts';
import { type PlanRoom, RoomPlan, type PlanStay } from './room-plan.ts';

/** Rooms and stays of a snapshot as plain data for a worker thread. */
export type PropertyRooms = { rooms: PlanRoom[]; stays: PlanStay[]; today: Day };

/** Rooms for the arrivals without one, up to a last day; `better` lists types to upgrade to, by stay. */
export function arrangeArrivals({
  rooms,
  stays,
  today,
  last,
  better,
}: PropertyRooms & { last: Day; better: Record<string, string[]> }): RoomAssignments {
  const plan = RoomPlan.of(rooms, stays);
  const betterTypes = ({ reservationId }: PlanStay): string[] => better[reservationId] ?? [];
  return assignRooms(plan, arrivalsDue(plan, today, last), { today, betterTypes });
}

export function findConflicts({ rooms, stays, today }: PropertyRooms): RoomConflict[] {
  return conflictsIn(RoomPlan.of(rooms, stays), today);
}
