import { ApiError } from '../api.ts';
import { dayRange, mediumDay } from '../grid/days.ts';
import { textsOf } from '../language/texts.ts';
import { moneyText, nightsWord, signedPercent } from '../messages.ts';
import type { Cell, ChosenNights } from './chosen-nights.ts';

const say = textsOf('revenue');

/** Words of the panel in which rates and restrictions of chosen nights are set. */
export const editor = {
  title: say('Rates and restrictions'),
  none: say('No night is chosen.'),
  choose: say('More nights: drag over them, or Shift with the arrow keys.'),
  weekdays: say('Only on'),
  weekdayNames: [
    say('Sunday'),
    say('Monday'),
    say('Tuesday'),
    say('Wednesday'),
    say('Thursday'),
    say('Friday'),
    say('Saturday'),
  ],
  rate: (currency: string): string => say('New rate, {currency}', { currency }),
  setRate: say('Set rate'),
  percent: say('Change, %'),
  changePercent: say('Change by percent'),
  minimum: say('Nights at least'),
  minimumStay: say('Minimum stay'),
  closedToArrival: say('Close to arrival'),
  closedToDeparture: say('Close to departure'),
  stopSell: say('Stop sell'),
  undo: say('Undo'),
  undoHint: 'z',
  noPercent: say('Write a percentage such as 10 or -7.5, above -100 and below 1000.'),
  noMinimum: say('Write a number of nights from 1 to 90, or nothing for no minimum.'),
  tooMany: (most: number): string => say('Choose at most {most} nights at once.', { most }),
  noNights: say('No night is chosen on these weekdays.'),
  movedSince: say('Somebody has changed these rates meanwhile. The line says what they are now: press again.'),
  noRates: say('None of these nights has a rate that could be changed.'),
  restrictedSince: (cells: readonly Cell[]): string =>
    say(
      'Somebody has changed this restriction on {length} meanwhile, from {roomType}, {date} on. The grid shows it now. Nothing is set. Do it again to overwrite.',
      { length: nightsWord(cells.length), roomType: cells[0]!.roomType, date: mediumDay(cells[0]!.date) },
    ),
  failed: say('Nothing was changed.'),
  done: say('Done.'),
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
  const was = before.length === 0 ? say('no rate') : rangeText(before, currency);
  return `${nightsWord(moves.length)}: ${was} → ${after.length === 0 ? say('no rate') : rangeText(after, currency)}`;
}

/** Nights that go on sale by a change, since they had no rate. */
export function newOnSale(moves: readonly Move[]): string {
  const nights = moves.filter(({ from, to }) => from === null && to !== null).length;
  return nights === 0
    ? ''
    : say(
        '; {nights, plural, one {# night without a rate until now goes} other {# nights without a rate until now go}} on sale',
        { nights },
      );
}

/** The revenue that is expected with and without a change. */
export function revenueText(before: number, after: number, currency: string): string {
  const text = (amount: number): string => moneyText(amount, currency);
  const percent = before === 0 ? '' : ` (${signedPercent(Math.round(((after - before) / before) * 100))})`;
  return say('Expected revenue: {before} → {after}{percent}', { before: text(before), after: text(after), percent });
}

/** What was done, for the line above the buttons and for screen readers. */
/** What a press does to a restriction, before it is done. */
export const willText = (what: string, on: boolean, nights: number): string =>
  on
    ? say('Sets {what} on {nights}, at once.', { what, nights: nightsWord(nights) })
    : say('Lifts {what} on {nights}, at once.', { what, nights: nightsWord(nights) });

export const doneText = {
  /** @param unpriced nights that had no rate, which an undo leaves as they are now */
  rates: (moves: readonly Move[], currency: string, unpriced: number): string =>
    say('Done. {moves}.', { moves: movesText(moves, currency) }) +
    (unpriced === 0
      ? ''
      : say(' {unpriced} had no rate: undo leaves the new one, Stop sell takes it off sale.', {
          unpriced: nightsWord(unpriced),
        })),
  restriction: (what: string, on: boolean, nights: number): string =>
    on
      ? say('Done. {what}: on, {nights}.', { what, nights: nightsWord(nights) })
      : say('Done. {what}: off, {nights}.', { what, nights: nightsWord(nights) }),
  minimum: (least: number | null, nights: number): string =>
    least === null
      ? say('Done. No minimum stay, {nights}.', { nights: nightsWord(nights) })
      : say('Done. Minimum stay {least}, {nights}.', { least: nightsWord(least), nights: nightsWord(nights) }),
  undone: say('The change is undone.'),
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
    stopSell ? say(', sales stopped') : '',
    closedToArrival ? say(', closed to arrival') : '',
    closedToDeparture ? say(', closed to departure') : '',
    minStayArrival !== null && minStayArrival > 1 ? say(', minimum stay {minStayArrival}', { minStayArrival }) : '',
  ].join('');
}

/** Nights that are named one by one; of more, the number is said. */
const NAMED_NIGHTS = 3;

const STALE = say(
  'Somebody else has changed this meanwhile. It is shown as it is now: look once more, and save again to overwrite it.',
);

/** What is wrong with a change, and what somebody else did meanwhile where that is why. */
export function faultText(error: unknown, failed: string): string {
  if (!(error instanceof ApiError)) return failed;
  if (error.code === 'STALE_VERSION') return STALE;
  const { changed = [] } = error.problem ?? {};
  if (changed.length === 0) return error.message;
  const amount = (rate: number | null): string => (rate === null ? say('no rate') : rate.toFixed(2));
  const named = changed
    .slice(0, NAMED_NIGHTS)
    .map(({ roomType, date, then, now }) => `${roomType}, ${mediumDay(date)}: ${amount(then)} → ${amount(now)}`);
  const more =
    changed.length > named.length
      ? say('; and {length} more', { length: nightsWord(changed.length - named.length) })
      : '';
  return say('Somebody has changed these rates: {named}{more}. Nothing is set. Do it again to overwrite them.', {
    named: named.join('; '),
    more,
  });
}
