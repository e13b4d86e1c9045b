import { dayRange, mediumDay } from '../grid/days.ts';
import { moneyText, nightsWord, signedPercent } from '../messages.ts';
import type { Cell, ChosenNights } from './chosen-nights.ts';

/** Words of the panel in which rates and restrictions of chosen nights are set. */
export const editor = {
  title: 'Rates and restrictions',
  none: 'No night is chosen.',
  choose: 'More nights: drag over them, or Shift with the arrow keys.',
  weekdays: 'Only on',
  weekdayNames: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  rate: (currency: string): string => `New rate, ${currency}`,
  setRate: 'Set rate',
  percent: 'Change, %',
  changePercent: 'Change by percent',
  minimum: 'Nights at least',
  minimumStay: 'Minimum stay',
  closedToArrival: 'Close to arrival',
  closedToDeparture: 'Close to departure',
  stopSell: 'Stop sell',
  undo: 'Undo',
  undoHint: 'z',
  noAmount: 'Write an amount such as 120 or 119.50.',
  noPercent: 'Write a percentage such as 10 or -7.5.',
  noMinimum: 'Write a number of nights from 1 to 90, or nothing for no minimum.',
  tooMany: (most: number): string => `Choose at most ${most} nights at once.`,
  noNights: 'No night is chosen on these weekdays.',
  noRates: 'None of these nights has a rate that could be changed.',
  onlyFor: (roomTypes: string, text: string): string => `Only for ${roomTypes}: ${text} The rest failed.`,
  failed: 'Nothing was changed.',
};

/** The chosen nights, such as `STD, DLX: 1 to 5 December, 10 nights`. */
export function chosenText({ roomTypes, start, end }: ChosenNights, nights: number): string {
  const when = start === end ? mediumDay(start) : dayRange(start, end);
  return `${roomTypes.join(', ')}: ${when}, ${nightsWord(nights)}`;
}

/** `€100 – €120`, or one amount where all are the same. */
function rangeText(amounts: readonly number[], currency: string): string {
  const [low, high] = [Math.min(...amounts), Math.max(...amounts)];
  const text = (amount: number): string => moneyText(amount, currency);
  return low === high ? text(low) : `${text(low)} – ${text(high)}`;
}

type Move = { from: number | null; to: number | null };

/** What a change of rates does, in one line. */
export function movesText(moves: readonly Move[], currency: string): string {
  const before = moves.flatMap(({ from }) => (from === null ? [] : from));
  const after = moves.flatMap(({ to }) => (to === null ? [] : to));
  const was = before.length === 0 ? 'no rate' : rangeText(before, currency);
  return `${nightsWord(moves.length)}: ${was} → ${after.length === 0 ? 'no rate' : rangeText(after, currency)}`;
}

/** Nights that go on sale by a change, since they had no rate. */
export function newOnSale(moves: readonly Move[]): string {
  const nights = moves.filter(({ from, to }) => from === null && to !== null).length;
  return nights === 0
    ? ''
    : `; ${nightsWord(nights)} without a rate until now ${nights === 1 ? 'goes' : 'go'} on sale`;
}

/** The revenue that is expected with and without a change. */
export function revenueText(before: number, after: number, currency: string): string {
  const text = (amount: number): string => moneyText(amount, currency);
  const percent = before === 0 ? '' : ` (${signedPercent(Math.round(((after - before) / before) * 100))})`;
  return `Expected revenue: ${text(before)} → ${text(after)}${percent}`;
}

/** What was done, for the line above the buttons and for screen readers. */
export const doneText = {
  /** @param unpriced nights that had no rate, which an undo leaves as they are now */
  rates: (moves: readonly Move[], currency: string, unpriced: number): string =>
    `Done. ${movesText(moves, currency)}.` +
    (unpriced === 0
      ? ''
      : ` ${nightsWord(unpriced)} had no rate: undo leaves the new one, Stop sell takes it off sale.`),
  restriction: (what: string, on: boolean, nights: number): string =>
    `Done. ${what}: ${on ? 'on' : 'off'}, ${nightsWord(nights)}.`,
  minimum: (least: number | null, nights: number): string =>
    least === null
      ? `Done. No minimum stay, ${nightsWord(nights)}.`
      : `Done. Minimum stay ${nightsWord(least)}, ${nightsWord(nights)}.`,
  undone: 'The change is undone.',
};

/** Restrictions of a night, as the cell says them. */
type NightLimits = Cell & {
  closedToArrival: boolean;
  closedToDeparture: boolean;
  stopSell: boolean;
  minStayArrival: number | null;
};

/** Marks of a cell, shortest first: `×` stop sell, `A` and `D` closed to arrival and departure, `3+` the minimum stay. */
export function limitMarks(limits: NightLimits | undefined): string {
  if (!limits) return '';
  const { stopSell, closedToArrival, closedToDeparture, minStayArrival } = limits;
  return [
    stopSell ? '×' : '',
    closedToArrival ? 'A' : '',
    closedToDeparture ? 'D' : '',
    minStayArrival !== null && minStayArrival > 1 ? `${minStayArrival}+` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** The same in words, for the description of a cell. */
export function limitWords(limits: NightLimits | undefined): string {
  if (!limits) return '';
  const { stopSell, closedToArrival, closedToDeparture, minStayArrival } = limits;
  return [
    stopSell ? ', sales stopped' : '',
    closedToArrival ? ', closed to arrival' : '',
    closedToDeparture ? ', closed to departure' : '',
    minStayArrival !== null && minStayArrival > 1 ? `, minimum stay ${minStayArrival}` : '',
  ].join('');
}
