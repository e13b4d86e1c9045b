import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import { type Minor, percentOf } from '../../kernel/rules/money.ts';
import type { Promotion } from './promotion.ts';
import type { GridCell } from './queries.ts';

/** Expected results of a promotion at its creation. */
export type PromotionEstimate = { bookings: number; revenue: Minor };

/** Assumed nights of a stay where the promotion requires none. */
const USUAL_NIGHTS = 2;

/**
 * A simple estimate from the books: the share of free rooms in the stay period that sells equals the share of rooms
 * sold so far, in stays of minimum length, within the units, at the discounted price.
 */
export function estimate(
  promotion: Omit<Promotion, 'used' | 'usedOn' | 'paused' | 'createdAt'>,
  cells: readonly GridCell[],
  today: Day,
): PromotionEstimate {
  const { stayPeriod, conditions, inventory, roomTypes, discount } = promotion;
  const from = Math.max(stayPeriod?.start ?? 0, today + (conditions.advanceBookingDays ?? 0));
  const to = stayPeriod?.end ?? Infinity;
  const blackout = new Set(conditions.blackoutDates);
  const open = cells.filter(
    ({ roomType, day, rate }) =>
      rate !== null && day >= from && day <= to && !blackout.has(day) && (!roomTypes || roomTypes.includes(roomType)),
  );
  const rooms = sum(open, ({ total }) => total);
  if (rooms === 0) return { bookings: 0, revenue: 0 };
  const free = sum(open, ({ available }) => available);
  const nights = Math.max(conditions.minimumStay ?? USUAL_NIGHTS, 1);
  const expected = Math.round((free * sum(open, ({ booked }) => booked)) / rooms / nights);
  const bookings = Math.min(expected, inventory.totalRooms ?? Infinity);
  const stay = (sum(open, ({ rate, total }) => rate! * total) / rooms) * nights;
  const off = { PERCENTAGE: percentOf(Math.round(stay), discount.value), FIXED_AMOUNT: discount.value };
  const price = discount.type === 'FREE_NIGHTS' ? stay - (stay / nights) * discount.value : stay - off[discount.type];
  return { bookings, revenue: Math.round(bookings * Math.max(0, price)) };
}
