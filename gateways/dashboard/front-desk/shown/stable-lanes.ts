import type { Bar, Closure, Lane, LaneGroup } from '../lanes.ts';

/**
 * The lanes of now, as the objects of before where nothing in them has changed: a component with the same properties
 * is not drawn again, and a change in one of 400 rooms draws one lane.
 */
export function stableLanes(before: readonly LaneGroup[], now: readonly LaneGroup[]): LaneGroup[] {
  const known = new Map(before.flatMap(({ lanes }) => lanes.map((lane) => [lane.key, lane])));
  return now.map((group) => ({
    ...group,
    lanes: group.lanes.map((lane) => {
      const old = known.get(lane.key);
      return old && isSame(old, lane) ? old : lane;
    }),
  }));
}

function isSame(a: Lane, b: Lane): boolean {
  if (a.kind === 'overbooked' || b.kind === 'overbooked') return JSON.stringify(a) === JSON.stringify(b);
  if (a.kind !== b.kind || !allSame(a.bars, b.bars, sameBar)) return false;
  if (a.kind !== 'room' || b.kind !== 'room') return true;
  const { room } = a;
  return (
    room.status === b.room.status &&
    room.reservationId === b.room.reservationId &&
    room.roomType === b.room.roomType &&
    allSame(a.closures, b.closures, sameClosure)
  );
}

function allSame<T>(a: readonly T[], b: readonly T[], same: (a: T, b: T) => boolean): boolean {
  return a.length === b.length && a.every((one, index) => same(one, b[index]!));
}

/** A stay that was read again is another object. */
const sameBar = (a: Bar, b: Bar): boolean =>
  a.stay === b.stay &&
  a.task === b.task &&
  a.from === b.from &&
  a.to === b.to &&
  a.goesBack === b.goesBack &&
  a.goesOn === b.goesOn;

const sameClosure = (a: Closure, b: Closure): boolean =>
  a.from === b.from &&
  a.to === b.to &&
  a.maintenance.maintenanceId === b.maintenance.maintenanceId &&
  a.maintenance.updatedAt === b.maintenance.updatedAt;
