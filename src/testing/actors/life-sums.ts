import type { CommandOf } from '../../kernel/rules/commands.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { Code } from '../../kernel/rules/domain-error.ts';
import type { Night } from '../../money/rules/night.ts';
import type { Stay } from '../../rates/rules/stay.ts';

/** Sums of the life model: independent of the product's. */

/** Rejected with one of these codes, or accepted. */
export type ExpectedState = ReadonlySet<Code>;

export const DONE: ExpectedState = new Set();
export const refused = (...codes: Code[]): ExpectedState => new Set(codes);

export const grossOf = ({ rate, taxes, fees }: Night): number => rate + taxes + fees;

export const sumOf = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0);

/** Days from one to another, without the last. */
export const daysBetween = (from: Day, to: Day): Day[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);

/** Rounds to the nearest integer, half to even. */
export function halfEven(product: number, by: number): number {
  const low = Math.floor(product / by);
  const rest = product - low * by;
  if (2 * rest === by) return low % 2 === 0 ? low : low + 1;
  return 2 * rest < by ? low : low + 1;
}

/** A stay with other days, another type or other guests; equal dates are day use. */
export function changedBy({ dayUse, ...stay }: Stay, wanted: CommandOf<'MODIFY'>['stay']): Stay {
  const { checkIn = stay.checkIn, nights } = wanted;
  const unnamed = dayUse ? checkIn : stay.checkOut;
  const checkOut = wanted.checkOut ?? (nights === undefined ? unnamed : checkIn + nights);
  const days = checkOut === checkIn ? { checkOut: checkOut + 1, dayUse: true as const } : { checkOut };
  const { roomType = stay.roomType, adults = stay.adults } = wanted;
  return { ...stay, checkIn, roomType, adults, ...days };
}

/** A posting of a life; of an extra bed with its pieces and first night, at a price of a piece and night. */
export type LifePosting = {
  amount: number;
  isBack: boolean;
  /** No extra of the price list: only a guest in house may have it. */
  isGuestCharge?: boolean;
  beds?: { pieces: number; from: Day };
};

/** What postings come to when the stay ends on a day: a bed is paid for each night until then. */
export function postedUntil(posted: Iterable<LifePosting>, checkOut: Day): number {
  let all = 0;
  for (const { amount, isBack, beds } of posted) {
    const times = beds ? beds.pieces * Math.max(0, checkOut - beds.from) : 1;
    if (!isBack) all += amount * times;
  }
  return all;
}

/** Beds of a stay on a night. */
export function bedsOn(posted: Iterable<LifePosting>, day: Day, checkOut: Day): number {
  let all = 0;
  for (const { isBack, beds } of posted)
    if (!isBack && beds && beds.from <= day && day < checkOut) all += beds.pieces;
  return all;
}

/** Beds of a stay whose dates change before its check-in: those of the whole new stay. */
export function movedBeds(posted: ReadonlyMap<string, LifePosting>, from: Day): Map<string, LifePosting> {
  return new Map(
    [...posted].map(([id, posting]) => {
      const { beds, isBack } = posting;
      return [id, beds && !isBack ? { ...posting, beds: { ...beds, from } } : posting];
    }),
  );
}
