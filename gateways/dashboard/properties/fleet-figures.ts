import type { Replica } from '../../../src/live/contracts/replica.ts';

const WEEK = 7;

/** Figures of a property: percentages of all rooms, and today's changes. */
export type FleetFigures = {
  tonight: number;
  week: number;
  month: number;
  pickup: number;
  cancelled: number;
  /** Oversold nights, over all room types. */
  over: number;
  /** Sold-out nights. */
  full: number;
};

/** Sums up a replica of thirty nights. */
export function figuresOf({ kpi, grid }: Pick<Replica, 'kpi' | 'grid'>, today: string): FleetFigures {
  const nights = [...kpi.values()].filter(({ date }) => date >= today).sort((a, b) => a.date.localeCompare(b.date));
  const sum = (of: (night: (typeof nights)[number]) => number): number =>
    nights.reduce((total, night) => total + of(night), 0);
  const share = (count: number): number => {
    const some = nights.slice(0, count);
    const rooms = some.reduce((total, night) => total + night.roomsAvailable, 0);
    return rooms === 0 ? 0 : (some.reduce((total, night) => total + night.roomsSold, 0) / rooms) * 100;
  };
  const cells = [...grid.values()];
  const over = cells.filter(({ totalRooms, bookedRooms, heldRooms, blockedRooms }) => {
    return bookedRooms + heldRooms + blockedRooms > totalRooms;
  });
  const left = Map.groupBy(cells, ({ date }) => date);
  return {
    tonight: share(1),
    week: share(WEEK),
    month: share(nights.length),
    pickup: sum(({ pickupToday }) => pickupToday),
    cancelled: sum(({ cancellationsToday }) => cancellationsToday),
    over: new Set(over.map(({ date }) => date)).size,
    full: [...left.values()].filter((types) => types.every(({ availableRooms }) => availableRooms === 0)).length,
  };
}
