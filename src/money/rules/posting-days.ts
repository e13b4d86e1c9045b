import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import type { PaymentId } from '../../kernel/rules/ids.ts';
import { type Minor, negated } from '../../kernel/rules/money.ts';
import { departureOf } from '../../kernel/rules/stay-days.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import { billedCharges, type FolioCharge, isPenaltyCharge } from './folio.ts';
import type { Payment } from './payment.ts';
import { penaltyOfDay } from './penalty.ts';
import {
  taxedBack,
  taxedChargeRevenue,
  taxedNightRevenue,
  taxedPenaltyRevenue,
  type TaxedRevenue,
  taxedTogether,
} from './revenue-by-tax.ts';

/**
 * Earnings of a business day from a reservation: room nights; amounts in minor units, fees of a night among the extras.
 * Optional members are 0 where absent, and unknown in late postings of earlier builds.
 */
export type Earned = {
  nights: number;
  /** Complimentary ones among the nights. */
  comps?: number;
  rooms: Minor;
  extras: Minor;
  penalties: Minor;
  taxes: Minor;
  /** Fees of nights, part of the extras. */
  fees?: Minor;
  /** Taxes that credits take back, part of the taxes. */
  chargeTaxes?: Minor;
  /** The same earnings by tax. */
  byTax?: TaxedRevenue[];
};

/** NO_SHOW is the penalty of a no-show that was taken back: the night audit finds it by itself. */
type PostingKind = 'STAY' | 'PENALTY' | 'NO_SHOW';

/** Earnings added to or taken from a day after it was closed: posted on the day on which they were recorded. */
type LatePosting = Earned & { kind: PostingKind; of: Day; day: Day };

/** Business dates of postings, where they do not follow from the day itself (docs/concepts/night-audit.md#postings). */
export type PostingDays = {
  /** Departure: charges are posted then. Absent in reservations of earlier releases. */
  left?: Day;
  /** Dates on which payments and refunds were recorded as completed, which may be long after the provider made them. */
  money?: Record<PaymentId, Day>;
  late?: LatePosting[];
};

/** A posting of one business day, with the day that it belongs to. */
export type DayPosting = Earned & { of: Day };

const NOTHING_EARNED: Earned = { nights: 0, rooms: 0, extras: 0, penalties: 0, taxes: 0 };
const FIGURES = ['nights', 'rooms', 'extras', 'penalties', 'taxes'] as const satisfies (keyof Earned)[];

export function earnedTogether(all: readonly Earned[]): Earned {
  const [nights, rooms, extras, penalties, taxes] = FIGURES.map((name) => sum(all, (one) => one[name]));
  const comps = sum(all, (one) => one.comps ?? 0);
  const fees = sum(all, (one) => one.fees ?? 0);
  const chargeTaxes = sum(all, (one) => one.chargeTaxes ?? 0);
  const byTax = taxedTogether(all.flatMap((one) => one.byTax ?? []));
  return {
    nights: nights!,
    rooms: rooms!,
    extras: extras!,
    penalties: penalties!,
    taxes: taxes!,
    ...(comps !== 0 && { comps }),
    ...(fees !== 0 && { fees }),
    ...(chargeTaxes !== 0 && { chargeTaxes }),
    ...(byTax.length > 0 && { byTax }),
  };
}

type Dated = Pick<
  Reservation,
  'status' | 'nights' | 'charges' | 'cancellation' | 'retained' | 'posted' | 'payments' | 'stay' | 'currency'
>;
type Stayed = Omit<Dated, 'payments' | 'stay'>;

/**
 * Determines when the effects of a command are posted: on the open business date, whatever day they belong to. A closed
 * day gains and loses nothing; a correction is posted today.
 * @returns posting days for the reservation; the same object when nothing changes
 */
export function postingDaysAfter(before: Dated | undefined, after: Dated, today: Day): PostingDays | undefined {
  const money = completedNow(before?.payments ?? [], after.payments);
  const hasLeft = after.status === 'CHECKED_OUT' && before?.status !== 'CHECKED_OUT';
  const posted = hasLeft ? { ...after.posted, left: today } : after.posted;
  const late = latePostings(before, { ...after, posted }, today);
  if (money.length + late.length === 0) return posted;
  return {
    ...posted,
    ...(money.length > 0 && {
      money: { ...posted?.money, ...Object.fromEntries(money.map(({ paymentId }) => [paymentId, today])) },
    }),
    ...(late.length > 0 && { late: [...(posted?.late ?? []), ...late] }),
  };
}

function completedNow(before: readonly Payment[], after: readonly Payment[]): Payment[] {
  if (before === after) return [];
  const were = new Map(before.map(({ paymentId, status }) => [paymentId, status]));
  return after.filter(({ paymentId, status }) => status === 'COMPLETED' && were.get(paymentId) !== 'COMPLETED');
}

function latePostings(before: Dated | undefined, after: Dated, today: Day): LatePosting[] {
  if (!before || (!earns(before) && !earns(after))) return [];
  const days = new Set([...ownDays(before), ...ownDays(after)]);
  const closed = [...days].filter((of) => of < today).sort((a, b) => a - b);
  const known = withNightsStayedOn(before, after, today);
  const stay = closed.flatMap((of): LatePosting[] => {
    const change = difference(stayOn(after, of), stayOn(known, of));
    return isNothing(change) ? [] : [{ kind: 'STAY', of, day: today, ...change }];
  });
  return [...stay, ...penaltyTakenBack(before, after, today)];
}

/** Nights in house since the last departure are no correction: the audits of their own days will post them. */
function withNightsStayedOn(before: Dated, { nights }: Dated, today: Day): Dated {
  const departure = departureOf(before.stay);
  if (before.status !== 'CHECKED_IN' || departure >= today) return before;
  const stayedOn = nights.filter(({ day }) => day >= departure && day < today);
  return { ...before, nights: [...before.nights.filter(({ day }) => day < departure), ...stayedOn] };
}

/** A waiver has a day of its own; a penalty that was removed was never due. */
function penaltyTakenBack(before: Dated, after: Dated, today: Day): LatePosting[] {
  const { cancellation, status } = before;
  if (!cancellation || after.cancellation?.cancellationId === cancellation.cancellationId) return [];
  const kind = status === 'NO_SHOW' ? 'NO_SHOW' : 'PENALTY';
  const days = [cancellation.day, ...(cancellation.waived ?? []).map(({ day }) => day)];
  return [...new Set(days)].flatMap((of) => {
    const removed = difference(NOTHING_EARNED, penaltyOn(before, of));
    const isDue = of === cancellation.day;
    // Today is still open, so nothing needs correction, except for the audit that looks for no-shows.
    if (isNothing(removed) || (of >= today && !(isDue && kind === 'NO_SHOW'))) return [];
    return [{ kind: isDue ? kind : ('PENALTY' as const), of, day: today, ...removed }];
  });
}

const earns = ({ status, cancellation }: Dated): boolean =>
  cancellation !== undefined || status === 'CHECKED_IN' || status === 'CHECKED_OUT';

/** Days on which the stay itself may have earnings. */
function ownDays({ nights, posted, charges = [] }: Stayed): Day[] {
  const dated = charges.filter((charge) => charge.afterwards || isPosting(charge));
  return [...nights, ...dated].map(({ day }) => day).concat(posted?.left ?? []);
}

/** A posting to the folio, or its reversal, counts on its own day and not at departure. */
const isPosting = ({ id }: FolioCharge): boolean => id !== undefined;

/** Earnings by their own day: slept nights, folio postings, and other charges at and after departure. */
function stayOn(of: Stayed, day: Day): Earned {
  const { status, nights, charges = [], posted } = of;
  if (status !== 'CHECKED_IN' && status !== 'CHECKED_OUT') return NOTHING_EARNED;
  const night = nights.find((one) => one.day === day);
  const { rate = 0, taxes = 0, fees = 0 } = night ?? {};
  const postings = charges.filter((charge) => isPosting(charge) && charge.day === day);
  const others = status === 'CHECKED_OUT' ? chargesOn(of, day, posted?.left) : NOTHING_EARNED;
  const byTax = night ? taxedNightRevenue(night) : [];
  const ofNight: Earned = {
    ...NOTHING_EARNED,
    nights: night ? 1 : 0,
    ...(night?.comped && { comps: 1 }),
    rooms: rate,
    extras: fees,
    fees,
    taxes,
    byTax,
  };
  return earnedTogether([ofNight, ...postings.map(ofCharge), others]);
}

/**
 * Earnings by a charge: a credit takes back taxes of the stay, what is retained is a penalty with its taxes; taxes in
 * other charges are part of their amount.
 */
function ofCharge(charge: FolioCharge): Earned {
  const { amount, taxes = 0 } = charge;
  const byTax = taxedChargeRevenue(charge);
  if (isPenaltyCharge(charge)) return { ...NOTHING_EARNED, penalties: amount - taxes, taxes, byTax };
  return { ...NOTHING_EARNED, extras: amount - taxes, taxes, chargeTaxes: taxes, byTax };
}

/** Charges beside the nights, without folio postings. */
function chargesOn(of: Stayed, day: Day, left: Day | undefined): Earned {
  const until = (last: Day): Earned => {
    const charges = of.charges?.filter((charge) => !charge.afterwards || charge.day <= last);
    const counted = billedCharges({ ...of, charges }).filter((charge) => !isPosting(charge));
    return earnedTogether(counted.map(ofCharge));
  };
  const hasAfterwards = of.charges?.some((charge) => charge.afterwards && charge.day === day);
  if (day === left) return until(day);
  return hasAfterwards ? difference(until(day), until(day - 1)) : NOTHING_EARNED;
}

/** Earnings by their own day: a penalty that came due, less what was waived of it. */
function penaltyOn({ cancellation, nights, currency }: Stayed, day: Day): Earned {
  if (!cancellation) return NOTHING_EARNED;
  const parts = penaltyOfDay(cancellation, nights, day, currency);
  const byTax = taxedPenaltyRevenue(parts, nights, currency);
  return { ...NOTHING_EARNED, penalties: parts.revenue, taxes: parts.taxes, ...(byTax.length > 0 && { byTax }) };
}

/**
 * Earnings of a business day from a reservation, each part with the day that it belongs to, without the penalty of a
 * no-show, which is {@link noShowPosting}.
 * @param left day of departure, when the reservation does not have it
 */
export function postingsOn(reservation: Stayed, day: Day, left?: Day): DayPosting[] {
  const { posted, status, cancellation } = reservation;
  const known = { ...reservation, posted: { ...posted, left: posted?.left ?? left } };
  const isDueNoShow = status === 'NO_SHOW' && cancellation?.day === day;
  const own = [stayOn(known, day), isDueNoShow ? NOTHING_EARNED : penaltyOn(known, day)];
  const late = posted?.late ?? [];
  // Amounts that are posted on another day were not earned on this one.
  const postedLater = late.filter((one) => one.of === day && one.kind !== 'NO_SHOW');
  const here = earnedTogether([...own, ...postedLater.map((one) => difference(NOTHING_EARNED, one))]);
  const others = late.filter((one) => one.day === day).map(({ kind: _kind, day: _day, ...one }) => one);
  // Charges beside the night are a posting of their own.
  const charged = status === 'CHECKED_OUT' ? chargesOn(known, day, known.posted.left) : NOTHING_EARNED;
  return [{ of: day, ...difference(here, charged) }, { of: day, ...charged }, ...others].filter(
    (one) => !isNothing(one),
  );
}

/**
 * The penalty of a no-show as it came due.
 * @param later how often the guest has been marked as a no-show since: penalties that were taken back in between are
 * others
 */
export function noShowPosting(reservation: Stayed, later: number): DayPosting | undefined {
  const { posted, status, cancellation } = reservation;
  const takenBack = posted?.late?.filter(({ kind }) => kind === 'NO_SHOW') ?? [];
  const isOne = status === 'NO_SHOW' && cancellation !== undefined;
  const removed = takenBack[takenBack.length + Number(isOne) - 1 - later];
  if (removed) return { of: removed.of, ...difference(NOTHING_EARNED, removed) };
  return isOne && later === 0 ? { of: cancellation.day, ...penaltyOn(reservation, cancellation.day) } : undefined;
}

function difference(one: Earned, other: Earned): Earned {
  const { nights, comps = 0, rooms, extras, penalties, taxes, fees = 0, chargeTaxes = 0, byTax = [] } = other;
  const less: Earned = {
    nights: negated(nights),
    comps: negated(comps),
    rooms: negated(rooms),
    extras: negated(extras),
    penalties: negated(penalties),
    taxes: negated(taxes),
    fees: negated(fees),
    chargeTaxes: negated(chargeTaxes),
    byTax: taxedBack(byTax),
  };
  return earnedTogether([one, less]);
}

const isNothing = (earned: Earned): boolean => !earned.comps && FIGURES.every((name) => earned[name] === 0);
