import { addDays } from '../grid/days.ts';

export type Cell = { roomType: string; date: string };

/** A rectangle of the grid; both ends inclusive. */
export type ChosenNights = { roomTypes: readonly string[]; start: string; end: string };

/** Consecutive nights of a room type. */
export type ConsecutiveNights = { roomType: string; start: string; end: string };

/** The rectangle between two corners of a grid. @param roomTypes its rows, in order */
export function nightsBetween(one: Cell, other: Cell, roomTypes: readonly string[]): ChosenNights {
  const rows = [roomTypes.indexOf(one.roomType), roomTypes.indexOf(other.roomType)].sort((a, b) => a - b);
  const [start, end] = [one.date, other.date].sort() as [string, string];
  return { roomTypes: roomTypes.slice(rows[0], rows[1]! + 1), start, end };
}

/** Cells of a rectangle, row by row. @param weekdays 0 is Sunday, as of `Date` */
export function cellsOf({ roomTypes, start, end }: ChosenNights, weekdays: ReadonlySet<number>): Cell[] {
  const dates: string[] = [];
  for (let date = start; date <= end; date = addDays(date, 1)) if (weekdays.has(weekdayOf(date))) dates.push(date);
  return roomTypes.flatMap((roomType) => dates.map((date) => ({ roomType, date })));
}

/** Cells as few runs of consecutive nights. */
export function consecutive(cells: readonly Cell[]): ConsecutiveNights[] {
  const runs: ConsecutiveNights[] = [];
  for (const { roomType, date } of cells) {
    const last = runs.at(-1);
    if (last?.roomType === roomType && addDays(last.end, 1) === date) last.end = date;
    else runs.push({ roomType, start: date, end: date });
  }
  return runs;
}

const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay();

/** A percentage with its sign: `10`, `+10`, `-7.5`, `7,5 %`. @returns undefined for anything else */
export function percentIn(text: string): number | undefined {
  const found = /^\s*([+\u2212-]?)\s*(\d{1,3})(?:[.,](\d{1,2}))?\s*%?\s*$/.exec(text);
  if (!found) return undefined;
  const size = Number(`${found[2]}.${found[3] ?? '0'}`);
  return found[1] === '' || found[1] === '+' ? size : -size;
}

/** A rate changed by percent, in units of its currency; never below the smallest one. @param decimals of the currency */
export function byPercent(rate: number, percent: number, decimals: number): number {
  const unit = 10 ** decimals;
  return Math.max(1, Math.round(rate * (1 + percent / 100) * unit)) / unit;
}
