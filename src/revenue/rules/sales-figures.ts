import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import type { Minor } from '../../kernel/rules/money.ts';

/** Changes of the books of a period on a business date. */
export type BooksMoved = { date: Day; booked: number; cancelled: number };

/** A business date of a booking curve: what it changed, and the room nights sold at its end. */
export type CurveDate = BooksMoved & { roomsSold: number };

/** The booking curve of a period from its changes, in order of their dates. */
export function bookingCurve(moves: readonly BooksMoved[]): CurveDate[] {
  let roomsSold = 0;
  return moves
    .toSorted((a, b) => a.date - b.date)
    .map((moved) => ({ ...moved, roomsSold: (roomsSold += moved.booked - moved.cancelled) }));
}

/** By what the mix of sales divides them. */
const SALES_SEGMENTS = ['channel', 'ratePlan', 'group', 'company', 'stayLength', 'leadTime'] as const;
type SalesSegment = (typeof SALES_SEGMENTS)[number];

/** A class of days by its name and its highest value. */
export type DayClass = readonly [name: string, most: number];

/** Upper bounds of the classes of a stay's nights, and of the days between booking and arrival. */
export const STAY_LENGTHS: readonly DayClass[] = [
  ['1', 1],
  ['2-3', 3],
  ['4-7', 7],
  ['8+', Infinity],
];
export const LEAD_TIMES: readonly DayClass[] = [
  ['0-1', 1],
  ['2-7', 7],
  ['8-30', 30],
  ['31-90', 90],
  ['91+', Infinity],
];

/** Sold room nights of a part of one segment, and their revenue: rates without taxes and fees. */
export type SoldThrough = Sold & { segment: SalesSegment; name: string | null };

type Sold = { roomNights: number; revenue: Minor };
type Part = Sold & { name: string | null };

/** Sales of a period in total and by each segment: most room nights first, classes in their order. */
export type SalesMix = { total: Sold; parts: Record<SalesSegment, Part[]> };

export function salesMix(sold: readonly SoldThrough[]): SalesMix {
  const partsOf = (segment: SalesSegment): Part[] =>
    sold
      .filter((one) => one.segment === segment)
      .map(({ name, roomNights, revenue }) => ({ name, roomNights, revenue }))
      .sort((a, b) => b.roomNights - a.roomNights || b.revenue - a.revenue);
  const channel = partsOf('channel');
  const inOrder = (segment: SalesSegment, classes: readonly DayClass[]): Part[] => {
    const parts = partsOf(segment);
    return classes.flatMap(([name]) => parts.filter((part) => part.name === name));
  };
  return {
    total: together(channel),
    parts: {
      channel,
      ratePlan: partsOf('ratePlan'),
      group: partsOf('group'),
      company: partsOf('company'),
      stayLength: inOrder('stayLength', STAY_LENGTHS),
      leadTime: inOrder('leadTime', LEAD_TIMES),
    },
  };
}

function together(sold: readonly Sold[]): Sold {
  return { roomNights: sum(sold, (one) => one.roomNights), revenue: sum(sold, (one) => one.revenue) };
}
