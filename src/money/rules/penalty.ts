import type { Day } from '../../kernel/rules/dates.ts';
import { incrementOf, type Minor } from '../../kernel/rules/money.ts';
import type { Cancellation } from '../../stay/rules/reservation.ts';
import { type Night, totals } from './night.ts';

/** Parts of a penalty: revenue of the property, and the tax on it. */
export type PenaltyParts = { revenue: Minor; taxes: Minor };

/**
 * Splits a gross penalty in the proportion of rates and taxes of its nights. Amounts owed for a slept night, such as
 * city tax, have no part in it.
 */
export function penaltyParts(penalty: Minor, nights: readonly Night[], currency: string): PenaltyParts {
  const { base, taxes: booked } = totals(nights);
  const gross = base + booked;
  const taxes = gross === 0 ? 0 : parted(penalty * (booked / gross), incrementOf(currency));
  return { revenue: penalty - taxes, taxes };
}

/** Half up, not half to even: figures of closed days must not change. */
const parted = (exact: number, increment: Minor): Minor => Math.round(exact / increment) * increment;

type Retained = Pick<Cancellation, 'day' | 'penalty' | 'waived'>;

/**
 * Penalty revenue of a business day: all of it on the day that it came due, less what was waived that day. The days sum
 * to the retained amount, to the cent, and a closed day keeps its figure whatever is waived later.
 */
export function penaltyOfDay(penalty: Retained, nights: readonly Night[], day: Day, currency: string): PenaltyParts {
  const after = penaltyParts(retainedAfter(penalty, day), nights, currency);
  const before = penaltyParts(retainedAfter(penalty, day - 1), nights, currency);
  return { revenue: after.revenue - before.revenue, taxes: after.taxes - before.taxes };
}

/** The penalty at the end of a business day. */
function retainedAfter({ day: due, penalty, waived = [] }: Retained, day: Day): Minor {
  if (day < due) return 0;
  return waived.reduce((retained, waiver) => (waiver.day > day ? retained + waiver.amount : retained), penalty);
}
