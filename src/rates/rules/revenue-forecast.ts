import type { PriceChange } from '../../kernel/rules/commands/rates.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { bookedBetween, DEMAND, demandLeft, expectedSold, remainingElasticity, usualPrice } from './demand-model.ts';
import type { GridCell } from './queries.ts';

/** Expected revenue of nights at the prices before and after a change: booked and still to come. */
export type RevenueForecast = { revenueBefore: Minor; revenueAfter: Minor };

/** Assumed final occupancy of a property without bookings. */
export const USUAL_OCCUPANCY = 0.6;

/**
 * Expected further bookings at the current price, without a limit of rooms. Bookings continue along the booking curve
 * as far as it has come; for the rest the property is assumed to fill as usual.
 */
export function expectedMore({ total, booked, day }: Pick<GridCell, 'total' | 'booked' | 'day'>, today: Day): number {
  const lead = Math.max(0, Math.min(day - today, DEMAND.longestLeadDays));
  const toCome = bookedBetween(0, lead);
  return toCome * (booked + USUAL_OCCUPANCY * total * toCome);
}

/**
 * Expected revenue of changed nights before and after. Bookings keep their prices; of future bookings a part is lost
 * when the price rises (`DEMAND.elasticity`), and no more than the free rooms can be sold.
 */
export function revenueForecast(
  changes: readonly PriceChange[],
  cells: readonly GridCell[],
  today: Day,
): RevenueForecast {
  const found = new Map(cells.map((cell) => [`${cell.roomType} ${cell.day}`, cell]));
  let before = 0;
  let after = 0;
  for (const { roomType, day, from, to } of changes) {
    const cell = found.get(`${roomType} ${day}`);
    if (!cell) continue;
    const demand = expectedMore(cell, today);
    const now = from ?? to ?? 0;
    const moved = from === null || to === null ? 0 : (to - from) / usualPrice(from, undefined);
    const left = demand * demandLeft(remainingElasticity(day, today), moved);
    before += cell.booked * now + (from === null ? 0 : from * expectedSold(demand, 0, cell.available));
    after += cell.booked * now + (to === null ? 0 : to * expectedSold(left, 0, cell.available));
  }
  return { revenueBefore: Math.round(before), revenueAfter: Math.round(after) };
}
