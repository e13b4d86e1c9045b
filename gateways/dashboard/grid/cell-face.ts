import type { CompetitorItem, GridItem } from '../../../src/live/contracts/live.ts';
import {
  closedWord,
  fullWord,
  heldOf,
  minutesLeftOf,
  moodOf,
  NOT_KNOWN,
  percentSold,
  signed,
  tenthsSold,
  wholeAmount,
} from '../messages.ts';

/** Display modes of the grid. */
export const MODES = ['occupancy', 'rate', 'recommended', 'market'] as const;
export type Mode = (typeof MODES)[number];

/** Display of a cell: two lines, and a tint that repeats the value. */
type Face = { main: string; sub: string; tint: 'fill' | 'above' | 'below' | 'none'; step: number };

/** Prices that a cell is compared with. */
type CellScales = { recommended: number | undefined; market: CompetitorItem | undefined };

/** Difference in percent at which a tint is strongest. */
const STRONGEST_PERCENT = 20;
const STEPS = 5;

/** Display of a cell in a mode. Every tint goes with a number, every direction with a sign. */
export function faceOf(mode: Mode, item: GridItem, { recommended, market }: CellScales): Face {
  if (mode === 'occupancy') return occupancyFace(item);
  if (mode === 'rate') {
    const main = item.rate === null ? NOT_KNOWN : wholeAmount(item.rate);
    return { main, sub: leftWord(item), tint: 'fill', step: tenthsSold(item) };
  }
  const against = mode === 'recommended' ? recommended : market?.median;
  return against === undefined || item.rate === null ? noFace(item) : comparedFace(item.rate, against);
}

/** Difference of a price to another one, in percent of that. */
export function percentFrom(rate: number, against: number): number {
  return against === 0 ? 0 : ((rate - against) / against) * 100;
}

function occupancyFace(item: GridItem): Face {
  const mood = moodOf(item);
  const main = mood === 'full' ? fullWord : mood === 'closed' ? closedWord : String(Math.round(percentSold(item)));
  return { main, sub: leftWord(item), tint: 'fill', step: tenthsSold(item) };
}

function comparedFace(rate: number, against: number): Face {
  const percent = percentFrom(rate, against);
  const rounded = Math.round(percent);
  const share = Math.min(1, Math.abs(rounded) / STRONGEST_PERCENT);
  const tint = rounded === 0 ? 'none' : rounded > 0 ? 'above' : 'below';
  return { main: `${signed(rounded)}%`, sub: wholeAmount(against), tint, step: Math.ceil(share * STEPS) };
}

function noFace(item: GridItem): Face {
  return { main: NOT_KNOWN, sub: item.rate === null ? '' : wholeAmount(item.rate), tint: 'none', step: 0 };
}

function leftWord(item: GridItem): string {
  const mood = moodOf(item);
  if (mood === 'full' || mood === 'closed') return '';
  return item.availableRooms <= 0 ? heldOf(item.heldRooms) : minutesLeftOf(item.availableRooms);
}
