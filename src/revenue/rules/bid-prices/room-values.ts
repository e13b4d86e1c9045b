import { demandChances } from '../../../rates/rules/demand-model.ts';

/** Means between 0 and all demand of a night for which chances are computed; between them they are interpolated. */
const GRID = 24;

/**
 * Chances that at least so many guests come, for parts of the demand of a night.
 * @property first the lowest number of guests, at least 1
 * @property rows for `first`, `first + 1` ... guests: by the mean, in steps of a `GRID`th of the demand from 0 on
 */
export type GuestChances = { first: number; demand: number; rows: Float64Array[] };

/**
 * Tabulates the chances of a night.
 * @param demand expected guests, at least 0
 * @param doubt variance of the mean as a part of its square (`doubtOf` of the demand model)
 * @param rooms numbers of guests, both inclusive and at least 1
 */
export function guestChances(demand: number, doubt: number, rooms: { first: number; last: number }): GuestChances {
  const rows = Array.from({ length: rooms.last - rooms.first + 1 }, () => new Float64Array(GRID + 1));
  for (let step = 1; step <= GRID; step++) {
    const chances = demandChances((demand * step) / GRID, doubt, rooms);
    for (const [index, row] of rows.entries()) row[step] = chances[index]!;
  }
  return { first: rooms.first, demand, rows };
}

/** Guests of one kind: what one of them is worth for the night, in minor units, and how many are expected. */
export type GuestKind = { worth: number; guests: number };

/**
 * Expected marginal value of the last of `rooms` rooms: the worth of the guest who gets it when the best come first. At
 * least 0; falls with the rooms, rises with the demand.
 * @param kinds in descending order of worth
 * @param rooms within the rows of `chances`
 */
export function roomValue({ first, demand, rows }: GuestChances, kinds: readonly GuestKind[], rooms: number): number {
  const row = rows[rooms - first]!;
  let value = 0;
  let mean = 0;
  for (const [index, { worth, guests }] of kinds.entries()) {
    if (worth <= 0) break;
    mean += guests;
    const next = Math.max(0, kinds[index + 1]?.worth ?? 0);
    if (worth > next) value += (worth - next) * chanceAt(row, demand > 0 ? (GRID * mean) / demand : 0);
  }
  return value;
}

function chanceAt(row: Float64Array, at: number): number {
  const step = Math.min(GRID - 1, Math.floor(at));
  const part = Math.min(1, at - step);
  return row[step]! + part * (row[step + 1]! - row[step]!);
}
