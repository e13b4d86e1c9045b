import type { Day } from '../../kernel/rules/dates.ts';
import { bookedNightOf, compedNight } from '../../money/rules/comp.ts';
import { payerOf } from '../../money/rules/folio-window.ts';
import { type Night, totals } from '../../money/rules/night.ts';
import type { BookingGuarantee } from './guarantee.ts';
import type { Comp, Reservation } from './reservation.ts';

/** Nothing has to be paid, and nobody has to come by an hour. */
const NOTHING_DUE: BookingGuarantee = { kind: 'NONE', releaseHour: null };

/** Who makes nights complimentary, and why. */
type CompedBy = Pick<Comp, 'reason' | 'by' | 'at'>;

/** Days of a stay whose nights are complimentary. */
export function compedDays({ nights }: Pick<Reservation, 'nights'>): Day[] {
  return nights.filter(({ comped }) => comped).map(({ day }) => day);
}

/**
 * A reservation with nights made complimentary (docs/reference/agreed-prices.md#complimentary-nights), beside those that
 * are so already. What its changes retain is given up as far as the nights are; a stay that is complimentary as a whole
 * needs no guarantee, where no account is one.
 * @param keepsFees fees, and taxes by night, person or stay, are due all the same (policy `taxOnComp`)
 */
export function withComp<R extends Pick<Reservation, 'nights' | 'retained' | 'guarantee' | 'companyId' | 'comp'>>(
  reservation: R,
  days: ReadonlySet<Day>,
  { reason, by, at }: CompedBy,
  keepsFees: boolean,
): R {
  const nights = reservation.nights.map((night) => (days.has(night.day) ? compedNight(night, keepsFees) : night));
  const free = totals(reservation.nights).total - totals(nights).total;
  const { retained, guarantee, comp: before } = reservation;
  const forgone = Math.min(retained ?? 0, free);
  const allForgone = (before?.forgone ?? 0) + forgone;
  const isWhole = nights.every(({ comped }) => comped);
  const whole = before?.whole ?? (isWhole ? { ...(guarantee && { guarantee }) } : undefined);
  const comp: Comp = { reason, by, at, ...(whole && { whole }), ...(allForgone > 0 && { forgone: allForgone }) };
  return {
    ...reservation,
    nights,
    comp,
    ...(forgone > 0 && { retained: retained === forgone ? undefined : retained! - forgone }),
    // An account pays nothing in advance, and goes on paying what is routed to it.
    ...(isWhole && payerOf(reservation) === 'GUEST' && { guarantee: NOTHING_DUE }),
  };
}

/** A reservation whose nights cost again what they did before, with what it retained and was guaranteed by. */
export function withoutComp<R extends Pick<Reservation, 'nights' | 'retained' | 'guarantee' | 'comp'>>(
  reservation: R,
): R {
  const { comp, nights, retained = 0 } = reservation;
  if (!comp) return reservation;
  const { whole, forgone = 0 } = comp;
  return {
    ...reservation,
    nights: nights.map(bookedNightOf),
    comp: undefined,
    ...(whole && { guarantee: whole.guarantee }),
    ...(forgone > 0 && { retained: retained + forgone }),
  };
}

/**
 * What a change leaves of the complimentary nights of a reservation: without any the stay has none, and one that was
 * complimentary as a whole and has other nights now is guaranteed as it was booked.
 */
export function compAfter(
  { comp, guarantee }: Pick<Reservation, 'comp' | 'guarantee'>,
  nights: readonly Night[],
): Pick<Reservation, 'comp' | 'guarantee'> {
  if (!comp) return { comp, guarantee };
  const isStillWhole = nights.every(({ comped }) => comped);
  const before = comp.whole && !isStillWhole ? comp.whole.guarantee : guarantee;
  if (!nights.some(({ comped }) => comped)) return { comp: undefined, guarantee: before };
  const { whole, ...rest } = comp;
  return { comp: isStillWhole && whole ? comp : rest, guarantee: before };
}
