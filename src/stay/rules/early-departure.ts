import type { Day } from '../../kernel/rules/dates.ts';
import type { FolioCharge } from '../../money/rules/folio.ts';
import type { Night } from '../../money/rules/night.ts';
import { penaltyOn, type PenaltyRule } from './booking-terms.ts';
import type { Reservation } from './reservation.ts';

/** Under which code the bill has nights that the property keeps. */
const EARLY_DEPARTURE = 'EARLY_DEPARTURE';

/**
 * Nights that a guest in house has given back, by a change of his departure or by leaving: all that were booked from
 * the day on which he leaves. What he has booked again since is his, and no longer given back.
 */
export function nightsGivenBack({ nights, givenBack = [] }: Spent, leaves: Day): Night[] {
  return [...nights, ...givenBack].filter(({ day }) => day >= leaves).toSorted((a, b) => a.day - b.day);
}

/**
 * What is charged beside the nights when a guest in house leaves on a day: of the nights that he gives back the
 * property retains what his terms say (docs/reference/reservations.md#terms), in whatever steps he gave them back.
 */
export function earlyDepartureCharges(stay: Spent, leaves: Day, rule: PenaltyRule): FolioCharge[] {
  const others = (stay.charges ?? []).filter(({ code }) => code !== EARLY_DEPARTURE);
  const back = nightsGivenBack(stay, leaves);
  const retained = rule.kind === 'NIGHTS' ? back.slice(0, rule.value) : back;
  const lines = retained.map((night) => ({
    description: 'Early departure',
    amount: penaltyOn(rule, [night]),
    day: night.day,
    code: EARLY_DEPARTURE,
  }));
  return [...others, ...lines.filter(({ amount }) => amount > 0)];
}

type Spent = Pick<Reservation, 'nights' | 'charges' | 'givenBack'>;
