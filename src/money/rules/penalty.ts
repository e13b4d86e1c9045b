import type { Day } from '../../kernel/rules/dates.ts';
import { incrementOf, type Minor } from '../../kernel/rules/money.ts';
import type { Cancellation } from '../../stay/rules/reservation.ts';
import { type Night, totals } from './night.ts';

/** A penalty by what it is: revenue of the property, and the tax that it owes on it. */
export type PenaltyParts = { revenue: Minor; taxes: Minor };

/**
 * Parts a penalty, which is gross, in the proportion of rates and taxes of the nights it was booked for. What is owed
 * for a night that was slept, as city tax is, has no part in it.
 */
export function penaltyParts(penalty: Minor, nights: readonly Night[], currency: string): PenaltyParts {
  const { base, taxes: booked } = totals(nights);
  const gross = base + booked;
  const taxes = gross === 0 ? 0 : parted(penalty * (booked / gross), incrementOf(currency));
  return { revenue: penalty - taxes, taxes };
}

/** Half up, as it has always been: a day that is over keeps its figures. */
const parted = (exact: number, increment: Minor): Minor => Math.round(exact / increment) * increment;

type Retained = Pick<Cancellation, 'day' | 'penalty' | 'waived'>;

/**
 * What a business day earned by a penalty: all of it on the day that it came due, less what was waived on a day. The
 * days sum to the retained amount, to the cent, and a day that is over keeps its figure whatever is waived later.
 */
export function penaltyOfDay(penalty: Retained, nights: readonly Night[], day: Day, currency: string): PenaltyParts {
  const after = penaltyParts(retainedAfter(penalty, day), nights, currency);
  const before = penaltyParts(retainedAfter(penalty, day - 1), nights, currency);
  return { revenue: after.revenue - before.revenue, taxes: after.taxes - before.taxes };
}

/** The penalty as a business day left it. */
function retainedAfter({ day: due, penalty, waived = [] }: Retained, day: Day): Minor {
  if (day < due) return 0;
  return waived.reduce((kept, waiver) => (waiver.day > day ? kept + waiver.amount : kept), penalty);
}
