import type { Day } from '../../kernel/rules/dates.ts';
import type { MaintenanceId } from '../../kernel/rules/ids.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import { type NightRange, type PlanRoom, shareNights } from './room-plan.ts';

/** OUT_OF_ORDER: the room cannot be sold. OUT_OF_SERVICE: something is repaired, and a guest may still have it. */
export const MAINTENANCE_KINDS = ['OUT_OF_ORDER', 'OUT_OF_SERVICE'] as const;
type MaintenanceKind = (typeof MAINTENANCE_KINDS)[number];

/** Nights in which a room is repaired or kept out of use (docs/concepts/rooms.md#maintenance). */
export type Maintenance = {
  maintenanceId: MaintenanceId;
  roomNumber: string;
  kind: MaintenanceKind;
  firstNight: Day;
  /** Inclusive; absent: nobody knows yet when it ends. */
  lastNight?: Day;
  reason: string;
  createdAt: Instant;
  updatedAt: Instant;
};

type MaintenanceNights = Pick<Maintenance, 'firstNight' | 'lastNight'>;

/** Its nights as a range: the day after the last one, or no end. */
export function nightsOfMaintenance({ firstNight, lastNight = Infinity }: MaintenanceNights): NightRange {
  return { from: firstNight, to: lastNight + 1 };
}

/** Whether two maintenances share a night. */
export function isConcurrent(a: MaintenanceNights, b: MaintenanceNights): boolean {
  return shareNights(nightsOfMaintenance(a), nightsOfMaintenance(b));
}

export function includesNight(maintenance: MaintenanceNights, night: Day): boolean {
  const { from, to } = nightsOfMaintenance(maintenance);
  return from <= night && night < to;
}

/** Whether all of its nights have passed. */
export const isMaintenanceOver = ({ lastNight }: MaintenanceNights, today: Day): boolean =>
  lastNight !== undefined && lastNight < today;

/** Rooms with the nights on which they are out of order, as the room plan needs them. */
export function planRooms({
  rooms,
  maintenances,
}: {
  rooms: readonly PlanRoom[];
  maintenances: readonly Maintenance[];
}): PlanRoom[] {
  const closed = Map.groupBy(
    maintenances.filter(({ kind }) => kind === 'OUT_OF_ORDER'),
    ({ roomNumber }) => roomNumber,
  );
  return rooms.map((room) => {
    const nights = closed.get(room.roomNumber)?.map(nightsOfMaintenance);
    return { ...room, ...(nights && { closed: nights }) };
  });
}
