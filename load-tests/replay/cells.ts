import { type Day, dayOf, formatDay } from '../../src/kernel/rules/dates.ts';

/** Members of a reservation in `GET /reservations` that take rooms. */
export type ListedStay = { status: string; stayDetails: { roomType: string; checkIn: string; checkOut: string } };

/** A cell as `GET /availability` shows it. */
export type ShownCell = {
  roomType: string;
  date: string;
  totalRooms: number;
  availableRooms: number;
  bookedRooms: number;
  heldRooms: number;
  blockedRooms: number;
};

export type Difference = { roomType: string; date: string; what: string; shown: number; recomputed: number };

/** Statuses that hold rooms: an unpaid room is held, any other is booked. */
export const HOLDING = { PENDING: 'held', CONFIRMED: 'booked', CHECKED_IN: 'booked' } as const;
export type HoldingStatus = keyof typeof HOLDING;

/** Rooms taken per room type and night. */
export class Cells {
  readonly #rooms = new Map<string, number>();

  /** Adds the nights of a stay; a status that holds no rooms adds nothing. */
  add({ status, stayDetails }: ListedStay): void {
    if (!isHolding(status)) return;
    const { roomType, checkIn, checkOut } = stayDetails;
    for (let day = dayOf(checkIn); day < dayOf(checkOut); day += 1) {
      const cell = cellKey(HOLDING[status], roomType, day);
      this.#rooms.set(cell, (this.#rooms.get(cell) ?? 0) + 1);
    }
  }

  rooms(how: 'held' | 'booked', roomType: string, day: Day): number {
    return this.#rooms.get(cellKey(how, roomType, day)) ?? 0;
  }
}

/** Differences between the shown availability and the service's own reservations, and missing cells. */
export function compareCells(
  shown: readonly ShownCell[],
  cells: Cells,
  expected: { totals: ReadonlyMap<string, number>; firstNight: Day; lastNight: Day },
): Difference[] {
  const differences: Difference[] = [];
  const seen = new Set<string>();
  for (const cell of shown) {
    const { roomType, date } = cell;
    const day = dayOf(date);
    seen.add(cellKey('', roomType, day));
    const held = cells.rooms('held', roomType, day);
    const booked = cells.rooms('booked', roomType, day);
    const total = expected.totals.get(roomType) ?? 0;
    const compare = (what: string, value: number, recomputed: number): void => {
      if (value !== recomputed) differences.push({ roomType, date, what, shown: value, recomputed });
    };
    compare('totalRooms', cell.totalRooms, total);
    compare('bookedRooms', cell.bookedRooms, booked);
    compare('heldRooms', cell.heldRooms, held);
    compare('blockedRooms', cell.blockedRooms, 0);
    compare('availableRooms', cell.availableRooms, Math.max(0, total - booked - held));
  }
  for (const roomType of expected.totals.keys()) {
    for (let day = expected.firstNight; day <= expected.lastNight; day += 1) {
      if (seen.has(cellKey('', roomType, day))) continue;
      differences.push({ roomType, date: formatDay(day), what: 'cells', shown: 0, recomputed: 1 });
    }
  }
  return differences;
}

function isHolding(status: string): status is HoldingStatus {
  return Object.hasOwn(HOLDING, status);
}

function cellKey(how: string, roomType: string, day: Day): string {
  return `${how} ${roomType} ${day}`;
}
