import type { Minor } from '../../kernel/rules/money.ts';

/**
 * All key figures (docs/concepts/night-audit.md#figures). Counts are whole rooms, room nights or reservations, amounts
 * minor units; ratios are computed from those and rounded once, half up. For an empty property all but ADR are 0.
 */

/**
 * Rooms sold / rooms available x 100, in percent with two decimals; per date booked_rooms / total_rooms x 100. Blocked
 * and out-of-order rooms count as available. Over 100 when oversold.
 */
export function occupancyRate(roomsSold: number, roomsAvailable: number): number {
  return percentage(roomsSold, roomsAvailable);
}

/** ADR: total room revenue (rates without taxes and fees) / rooms sold; null when nothing was sold. */
export function averageDailyRate(roomRevenue: Minor, roomsSold: number): Minor | null {
  return roomsSold === 0 ? null : quotient(roomRevenue, roomsSold);
}

/** RevPAR: total room revenue / rooms available, which is ADR x occupancy. */
export function revenuePerAvailableRoom(roomRevenue: Minor, roomsAvailable: number): Minor {
  return quotient(roomRevenue, roomsAvailable);
}

/** Cancelled reservations / total reservations x 100, in percent of two decimals. */
export function cancellationRate(cancelled: number, reservations: number): number {
  return percentage(cancelled, reservations);
}

/** Pickup: rooms added to the books between two instants, less those removed. */
export function pickup(roomsNow: number, roomsThen: number): number {
  return roomsNow - roomsThen;
}

/** One division of whole numbers, so that exact halves are rounded up. */
function quotient(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round(part / whole) + 0;
}

function percentage(part: number, whole: number): number {
  return quotient(part * 10_000, whole) / 100;
}
