import type { RoomItem } from '../../../../src/live/contracts/live.ts';
import { addDays } from '../../grid/days.ts';
import { isClosed, type LaneGroup } from '../lanes.ts';
import { type BoardStay, type MaintenanceView, takenUntil } from '../shapes.ts';

/** ClosedNights on which a room shall not be used; without a last night it has no end. */
export type ClosedNights = { from: string; to?: string };

/** What a maintenance would do, as far as the front desk has read: the service decides. */
export type ClosingEffects = {
  /** `undefined` without an end. */
  nights: number | undefined;
  /** First day on which the room is back. */
  back: string | undefined;
  /** Stays that have the room on one of the nights. */
  inRoom: readonly BoardStay[];
  /** Shown nights on which more rooms of the type are sold than are left. */
  short: readonly { date: string; rooms: number }[];
};

type About = {
  room: RoomItem;
  stays: Iterable<BoardStay>;
  /** Others than the one that is changed. */
  maintenances: readonly MaintenanceView[];
  groups: readonly LaneGroup[];
  days: readonly string[];
};

/** What follows when a room is out of order; out of service nothing falls short. */
export function effectsOf(
  { from, to }: ClosedNights,
  kind: MaintenanceView['kind'],
  { room, stays, maintenances, groups, days }: About,
): ClosingEffects {
  const back = to === undefined ? undefined : addDays(to, 1);
  const nights = to === undefined ? undefined : (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  if (kind === 'OUT_OF_SERVICE') return { nights, back, inRoom: [], short: [] };
  const staying = new Set(['CONFIRMED', 'CHECKED_IN']);
  const inRoom = [...stays].filter(
    (stay) =>
      stay.roomNumber === room.roomNumber &&
      staying.has(stay.status) &&
      takenUntil(stay) > from &&
      (back === undefined || stay.checkIn < back),
  );
  const free = groups.find(({ roomType }) => roomType === room.roomType)?.free ?? [];
  const short = days.flatMap((date, index) => {
    if (date < from || (to !== undefined && date > to)) return [];
    const isOpen = !isClosed({ ...room, status: 'CLEAN' }, maintenances, { from: date, to: addDays(date, 1) });
    const left = (free[index] ?? 0) - (isOpen ? 1 : 0);
    return left < 0 ? [{ date, rooms: -left }] : [];
  });
  return { nights, back, inRoom, short };
}
