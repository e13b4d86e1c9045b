import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import type { PaymentId } from '../../kernel/rules/ids.ts';
import { type Minor, negated } from '../../kernel/rules/money.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import { billedCharges, type FolioCharge } from './folio.ts';
import type { Payment } from './payment.ts';
import { penaltyOfDay } from './penalty.ts';

/**
 * What a business day earned by a reservation: room nights, of which `comps` are complimentary; amounts in minor units,
 * fees of a night among the extras.
 */
export type Earned = { nights: number; comps?: number; rooms: Minor; extras: Minor; penalties: Minor; taxes: Minor };

/** NO_SHOW is the penalty of a no-show that was taken back: its night audit looks for it by itself. */
type PostingKind = 'STAY' | 'PENALTY' | 'NO_SHOW';

/** What was earned on a day, or taken from it, after that day was over: it is posted on the day on which it was recorded. */
export type LatePosting = Earned & { kind: PostingKind; of: Day; day: Day };

/**
 * On which business date something of a reservation was posted, where its own day does not say so
 * (docs/concepts/night-audit.md#postings).
 */
export type PostingDays = {
  /** When the guest left: his charges are posted then. Absent in those of earlier releases. */
  left?: Day;
  /** When a payment or refund was recorded as completed, which may be long after the provider had it. */
  money?: Record<PaymentId, Day>;
  late?: LatePosting[];
};

/** A posting of one business day, with the day that it belongs to. */
export type DayPosting = Earned & { of: Day };

export const NOTHING_EARNED: Earned = { nights: 0, rooms: 0, extras: 0, penalties: 0, taxes: 0 };
const FIGURES = ['nights', 'rooms', 'extras', 'penalties', 'taxes'] as const satisfies (keyof Earned)[];

export function earnedTogether(all: readonly Earned[]): Earned {
  const [nights, rooms, extras, penalties, taxes] = FIGURES.map((name) => sum(all, (one) => one[name]));
  const comps = sum(all, (one) => one.comps ?? 0);
  const earned = { nights: nights!, rooms: rooms!, extras: extras!, penalties: penalties!, taxes: taxes! };
  return comps === 0 ? earned : { ...earned, comps };
}

type Dated = Pick<
  Reservation,
  'status' | 'nights' | 'charges' | 'cancellation' | 'retained' | 'posted' | 'payments' | 'stay' | 'currency'
>;
type Stayed = Omit<Dated, 'payments' | 'stay'>;

/**
 * Notes when what a command has changed is posted: on the open business date, whatever it is about. A day that is over
 * earns nothing more and loses nothing; what a change makes of it is posted today.
 * @returns what the reservation has to say of it; the same object where that is what it said before
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

/** Nights that a guest in house has stayed since his departure are no change: the audits of their own days wait for them. */
function withNightsStayedOn(before: Dated, { nights }: Dated, today: Day): Dated {
  if (before.status !== 'CHECKED_IN' || before.stay.checkOut >= today) return before;
  const stayedOn = nights.filter(({ day }) => day >= before.stay.checkOut && day < today);
  return { ...before, nights: [...before.nights, ...stayedOn] };
}

/** What is waived has a day of its own; a penalty that is gone was never due. */
function penaltyTakenBack(before: Dated, after: Dated, today: Day): LatePosting[] {
  const { cancellation, status } = before;
  if (!cancellation || after.cancellation?.cancellationId === cancellation.cancellationId) return [];
  const kind = status === 'NO_SHOW' ? 'NO_SHOW' : 'PENALTY';
  const days = [cancellation.day, ...(cancellation.waived ?? []).map(({ day }) => day)];
  return [...new Set(days)].flatMap((of) => {
    const gone = difference(NOTHING_EARNED, penaltyOn(before, of));
    const isDue = of === cancellation.day;
    // Of today nothing is closed: it is as though it had never been, but for the audit that looks for no-shows.
    if (isNothing(gone) || (of >= today && !(isDue && kind === 'NO_SHOW'))) return [];
    return [{ kind: isDue ? kind : ('PENALTY' as const), of, day: today, ...gone }];
  });
}

const earns = ({ status, cancellation }: Dated): boolean =>
  cancellation !== undefined || status === 'CHECKED_IN' || status === 'CHECKED_OUT';

/** Days on which the stay itself may have earned anything. */
function ownDays({ nights, posted, charges = [] }: Stayed): Day[] {
  const dated = charges.filter((charge) => charge.afterwards || isPosting(charge));
  return [...nights, ...dated].map(({ day }) => day).concat(posted?.left ?? []);
}

/** Somebody put it into the folio, or took it back: it counts on its own day, not when the guest leaves. */
const isPosting = ({ id }: FolioCharge): boolean => id !== undefined;

/**
 * By its own day: a night that was slept; what was posted to the folio; what was charged besides when the guest left, and
 * afterwards.
 */
function stayOn(of: Stayed, day: Day): Earned {
  const { status, nights, charges = [], posted } = of;
  if (status !== 'CHECKED_IN' && status !== 'CHECKED_OUT') return NOTHING_EARNED;
  const night = nights.find((one) => one.day === day);
  const { rate = 0, taxes = 0, fees = 0 } = night ?? {};
  const postings = charges.filter((charge) => isPosting(charge) && charge.day === day);
  const others = status === 'CHECKED_OUT' ? chargesOn(of, day, posted?.left) : 0;
  const extras = fees + sum(postings, ({ amount }) => amount) + others;
  return { ...NOTHING_EARNED, nights: night ? 1 : 0, ...(night?.comped && { comps: 1 }), rooms: rate, extras, taxes };
}

/** What was charged besides, without postings. */
function chargesOn(of: Stayed, day: Day, left: Day | undefined): Minor {
  const until = (last: Day): Minor => {
    const charges = of.charges?.filter((charge) => !charge.afterwards || charge.day <= last);
    return sum(billedCharges({ ...of, charges }), (charge) => (isPosting(charge) ? 0 : charge.amount));
  };
  const hasAfterwards = of.charges?.some((charge) => charge.afterwards && charge.day === day);
  if (day === left) return until(day);
  return hasAfterwards ? until(day) - until(day - 1) : 0;
}

/** By its own day: a penalty that came due, less what was waived of it. */
function penaltyOn({ cancellation, nights, currency }: Stayed, day: Day): Earned {
  if (!cancellation) return NOTHING_EARNED;
  const { revenue, taxes } = penaltyOfDay(cancellation, nights, day, currency);
  return { ...NOTHING_EARNED, penalties: revenue, taxes };
}

/**
 * What a business day earned by a reservation, each part with the day that it belongs to. The penalty of a no-show is no
 * part of it: {@link noShowPosting}.
 * @param left the day on which the guest left, where the reservation does not say it
 */
export function postingsOn(reservation: Stayed, day: Day, left?: Day): DayPosting[] {
  const { posted, status, cancellation } = reservation;
  const known = { ...reservation, posted: { ...posted, left: posted?.left ?? left } };
  const isDueNoShow = status === 'NO_SHOW' && cancellation?.day === day;
  const own = [stayOn(known, day), isDueNoShow ? NOTHING_EARNED : penaltyOn(known, day)];
  const late = posted?.late ?? [];
  // What is posted on another day was not earned on this one.
  const elsewhere = late.filter((one) => one.of === day && one.kind !== 'NO_SHOW');
  const here = earnedTogether([...own, ...elsewhere.map((one) => difference(NOTHING_EARNED, one))]);
  const others = late.filter((one) => one.day === day).map(({ kind: _kind, day: _day, ...one }) => one);
  // Charges beside the night are a posting of their own.
  const charged = {
    ...NOTHING_EARNED,
    extras: status === 'CHECKED_OUT' ? chargesOn(known, day, known.posted.left) : 0,
  };
  return [{ of: day, ...difference(here, charged) }, { of: day, ...charged }, ...others].filter(
    (one) => !isNothing(one),
  );
}

/**
 * The penalty of a no-show as it came due.
 * @param later how often the guest has been marked as one since: what was taken back in between was another penalty
 */
export function noShowPosting(reservation: Stayed, later: number): DayPosting | undefined {
  const { posted, status, cancellation } = reservation;
  const takenBack = posted?.late?.filter(({ kind }) => kind === 'NO_SHOW') ?? [];
  const isOne = status === 'NO_SHOW' && cancellation !== undefined;
  const gone = takenBack[takenBack.length + Number(isOne) - 1 - later];
  if (gone) return { of: gone.of, ...difference(NOTHING_EARNED, gone) };
  return isOne && later === 0 ? { of: cancellation.day, ...penaltyOn(reservation, cancellation.day) } : undefined;
}

function difference(one: Earned, other: Earned): Earned {
  const less = Object.fromEntries(FIGURES.map((name) => [name, negated(other[name])]));
  const comps = other.comps === undefined ? {} : { comps: negated(other.comps) };
  return earnedTogether([one, { ...(less as Earned), ...comps }]);
}

const isNothing = (earned: Earned): boolean => !earned.comps && FIGURES.every((name) => earned[name] === 0);
