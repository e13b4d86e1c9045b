import type { Day } from '../../kernel/rules/dates.ts';
import type { FolioCharge } from '../../money/rules/folio.ts';
import type { Night } from '../../money/rules/night.ts';
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
 * What is charged beside the nights when a guest in house leaves on a day: the first of the nights that he gives back
 * are retained by the property (`earlyDepartureNights`, docs/reference/set-up.md#policies), in whatever steps he gave
 * them back.
 * @param retained nights that the property retains, by its policy
 */
export function earlyDepartureCharges(stay: Spent, leaves: Day, retained: number): FolioCharge[] {
  const others = (stay.charges ?? []).filter(({ code }) => code !== EARLY_DEPARTURE);
  const early = nightsGivenBack(stay, leaves).slice(0, retained);
  return [
    ...others,
    ...early.map(({ day, rate, taxes, fees }) => ({
      description: 'Early departure',
      amount: rate + taxes + fees,
      day,
      code: EARLY_DEPARTURE,
    })),
  ];
}

type Spent = Pick<Reservation, 'nights' | 'charges' | 'givenBack'>;
