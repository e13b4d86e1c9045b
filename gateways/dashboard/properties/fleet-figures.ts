import type { Replica } from '../../../packages/client/src/live/replica.ts';

/** Nights of the sparkline. */
const SPARK_NIGHTS = 30;

/** Figures of a property, as its revenue workspace has them. */
export type FleetFigures = {
  /** Rooms sold tonight, and rooms that there are to sell. */
  sold: number;
  rooms: number;
  /** Sold of all rooms tonight, in percent; absent without rooms. */
  occupancy?: number;
  /** Of tonight; absent for roles without access to revenue, and where nothing is sold. */
  adr?: number;
  revPar?: number;
  currency: string;
  /** Net room nights sold since the roll, for all nights of the window. */
  pickup: number;
  /** Overbooked nights and sold-out nights of the window, over all room types. */
  over: number;
  full: number;
  /** Sold of all rooms for the coming nights, from 0 to 1. */
  spark: readonly number[];
};

/** Sums up a replica of the shown nights. */
export function figuresOf({ kpi, grid }: Pick<Replica, 'kpi' | 'grid'>, today: string): FleetFigures {
  const nights = [...kpi.values()].filter(({ date }) => date >= today).sort((a, b) => a.date.localeCompare(b.date));
  const tonight = nights.find(({ date }) => date === today);
  const cells = [...grid.values()];
  const over = cells.filter(({ totalRooms, bookedRooms, heldRooms, blockedRooms }) => {
    return bookedRooms + heldRooms + blockedRooms > totalRooms;
  });
  const byNight = Map.groupBy(cells, ({ date }) => date);
  const rooms = tonight?.roomsAvailable ?? 0;
  return {
    sold: tonight?.roomsSold ?? 0,
    rooms,
    ...(tonight && rooms > 0 && { occupancy: tonight.occupancyRate }),
    ...(tonight?.adr !== undefined && tonight.adr !== null && { adr: tonight.adr }),
    ...(tonight?.revPar !== undefined && { revPar: tonight.revPar }),
    currency: cells[0]?.currency ?? '',
    pickup: nights.reduce((sum, { pickupToday }) => sum + pickupToday, 0),
    over: new Set(over.map(({ date }) => date)).size,
    full: [...byNight.values()].filter((types) => types.every(({ availableRooms }) => availableRooms === 0)).length,
    spark: nights
      .slice(0, SPARK_NIGHTS)
      .map(({ roomsSold, roomsAvailable }) => (roomsAvailable === 0 ? 0 : roomsSold / roomsAvailable)),
  };
}
