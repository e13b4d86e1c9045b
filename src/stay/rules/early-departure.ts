import type { Day } from '../../kernel/rules/dates.ts';
import { EARLY_DEPARTURE, type FolioCharge, penaltyCharge } from '../../money/rules/folio.ts';
import { type Night, totals } from '../../money/rules/night.ts';
import type { PenaltyRule } from '../../rates/rules/plan-terms.ts';
import { penaltyOn } from './booking-terms.ts';
import type { Reservation } from './reservation.ts';

/**
 * Nights that a guest in house has given back, by a change of the departure or by leaving: all that were booked from
 * the new departure on. Nights booked again since are no longer given back.
 */
export function nightsGivenBack(
  { nights, givenBack = [] }: Pick<Spent, 'nights' | 'givenBack'>,
  departure: Day,
): Night[] {
  return [...nights, ...givenBack].filter(({ day }) => day >= departure).toSorted((a, b) => a.day - b.day);
}

/**
 * Charges beside the nights when a guest in house leaves on `leaves`: the property retains what the terms say of the
 * given-back nights (docs/reference/reservations.md#terms), in however many steps they were given back. Each has the
 * taxes of its night.
 * @param slept nights before the departure; they cost more where a discount is lost, and this is not charged twice
 * @param today business date on which they are due
 */
export function earlyDepartureCharges(
  stay: Spent,
  slept: readonly Night[],
  departure: Day,
  rule: PenaltyRule,
  today: Day,
): FolioCharge[] {
  const others = (stay.charges ?? []).filter(({ code }) => code !== EARLY_DEPARTURE);
  const back = nightsGivenBack(stay, departure);
  const retained = rule.kind === 'NIGHTS' ? back.slice(0, rule.value) : back;
  const booked = stay.nights.filter(({ day }) => day < departure);
  let dearer = Math.max(0, totals(slept).total - totals(booked).total);
  const lines = retained.map((night) => {
    const penalty = penaltyOn(rule, [night], stay.currency);
    const paid = Math.min(dearer, penalty);
    dearer -= paid;
    const line = { description: 'Early departure', amount: penalty - paid, day: today, code: EARLY_DEPARTURE };
    return penaltyCharge(line, [night], stay.currency);
  });
  return [...others, ...lines.filter(({ amount }) => amount > 0)];
}

type Spent = Pick<Reservation, 'nights' | 'charges' | 'givenBack' | 'currency'>;
