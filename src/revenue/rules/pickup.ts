import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import type { GridCell } from '../../rates/rules/queries.ts';
import { pickup } from './key-figures.ts';

/** Rooms on the books at two instants, and their difference. */
type Pickup = { roomsNow: number; roomsThen: number; pickup: number };

/** Pickup by stay date and room type, by stay date, and in total. */
export type ComparedOtb = {
  cells: (Pickup & { roomType: string; day: Day })[];
  dates: (Pickup & { day: Day })[];
  total: Pickup;
};

/** Compares the books at two instants. On the books are booked rooms; nights are those of the later instant. */
export function comparedOtb(now: readonly GridCell[], before: readonly GridCell[]): ComparedOtb {
  const key = ({ roomType, day }: GridCell): string => `${day} ${roomType}`;
  const rooms = new Map(before.map((cell) => [key(cell), cell.booked]));
  const cells = now.map((cell) => {
    const { roomType, day, booked: roomsNow } = cell;
    const roomsThen = rooms.get(key(cell)) ?? 0;
    return { roomType, day, roomsNow, roomsThen, pickup: pickup(roomsNow, roomsThen) };
  });
  const byDay = Map.groupBy(cells, ({ day }) => day);
  const dates = [...byDay].map(([day, ofDay]) => ({ day, ...summed(ofDay) })).sort((a, b) => a.day - b.day);
  return { cells, dates, total: summed(cells) };
}

function summed(parts: readonly Pickup[]): Pickup {
  return {
    roomsNow: sum(parts, ({ roomsNow }) => roomsNow),
    roomsThen: sum(parts, ({ roomsThen }) => roomsThen),
    pickup: sum(parts, (part) => part.pickup),
  };
}
