import type { Day } from '../../kernel/rules/dates.ts';
import type { FolioCharge } from '../../money/rules/folio.ts';
import { type Night, totals } from '../../money/rules/night.ts';
import type { PenaltyRule } from '../../rates/rules/plan-terms.ts';
import { penaltyOn } from './booking-terms.ts';
import type { Reservation } from './reservation.ts';

/** Under which code the bill has nights that the property keeps. */
const EARLY_DEPARTURE = 'EARLY_DEPARTURE';

/**
 * Nights that a guest in house has given back, by a change of his departure or by leaving: all that were booked from
 * the day on which he leaves. What he has booked again since is his, and no longer given back.
 */
export function nightsGivenBack(
  { nights, givenBack = [] }: Pick<Spent, 'nights' | 'givenBack'>,
  leaves: Day,
): Night[] {
  return [...nights, ...givenBack].filter(({ day }) => day >= leaves).toSorted((a, b) => a.day - b.day);
}

/**
 * What is charged beside the nights when a guest in house leaves on a day: of the nights that he gives back the
 * property retains what his terms say (docs/reference/reservations.md#terms), in whatever steps he gave them back.
 * @param slept the nights before, which cost more where a discount is lost: that is not paid a second time
 */
export function earlyDepartureCharges(
  stay: Spent,
  slept: readonly Night[],
  leaves: Day,
  rule: PenaltyRule,
): FolioCharge[] {
  const others = (stay.charges ?? []).filter(({ code }) => code !== EARLY_DEPARTURE);
  const back = nightsGivenBack(stay, leaves);
  const retained = rule.kind === 'NIGHTS' ? back.slice(0, rule.value) : back;
  const booked = stay.nights.filter(({ day }) => day < leaves);
  let dearer = Math.max(0, totals(slept).total - totals(booked).total);
  const lines = retained.map((night) => {
    const penalty = penaltyOn(rule, [night], stay.currency);
    const paid = Math.min(dearer, penalty);
    dearer -= paid;
    return { description: 'Early departure', amount: penalty - paid, day: night.day, code: EARLY_DEPARTURE };
  });
  return [...others, ...lines.filter(({ amount }) => amount > 0)];
}

type Spent = Pick<Reservation, 'nights' | 'charges' | 'givenBack' | 'currency'>;
