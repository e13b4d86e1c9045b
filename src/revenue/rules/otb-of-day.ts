import type { RowsOfDate } from '../../history/rules/rows-of-date.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import type { PaymentId, ReservationId } from '../../kernel/rules/ids.ts';
import { type Minor, negated } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import {
  type DayPosting,
  type Earned,
  earnedTogether,
  noShowPosting,
  postingsOn,
} from '../../money/rules/posting-days.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import type { MoneyMoved, OtbMoney, OtbOfDay, SoldRooms } from './night-audit.ts';

/** A business date as an audit reads it (docs/concepts/night-audit.md#postings). */
type AuditedDay = RowsOfDate & { date: Day };

/** Members of a reservation that may earn something on a day. */
export type AuditedStay = Pick<
  Reservation,
  'id' | 'status' | 'cancellation' | 'charges' | 'retained' | 'posted' | 'currency' | 'nights'
> & { roomType: string };

/** A completed payment, refund or chargeback in the currency of its reservation. */
export type CompletedPayment = {
  id: PaymentId;
  reservationId: ReservationId;
  currency: string;
  isCharge: boolean;
  isChargeback: boolean;
  method: OtbMoney['payments'][number]['method'];
  amount: Minor;
  processedAt: Instant | null;
};

/** A marking as a no-show. `isLate`: the audit of the arrival date had been made. */
export type MissedArrival = { seq: number; id: string; arrival: Day; isLate: boolean };

type Recorded = {
  stays: readonly AuditedStay[];
  missed: readonly MissedArrival[];
  /** Ids of reservations that checked out within the day. */
  gone: ReadonlySet<string>;
  payments: readonly CompletedPayment[];
};

type Posted = DayPosting & { roomType: string; currency: string };

/**
 * Money of a business date from the reservations and payments that it may concern, each currency by itself: amounts of
 * the given one, and the others in `others`.
 * @param currency of the audit
 * @returns also the stays whose postings cannot be computed
 */
export function otbOfDay(
  day: AuditedDay,
  currency: string,
  { stays, missed, gone, payments }: Recorded,
): OtbMoney & Pick<OtbOfDay, 'others'> & { unposted: ReservationId[] } {
  const { posted, unposted } = postedOn(day, stays, { missed, gone });
  const moved = movedOn(day, stays, payments);
  const earnedIn = Map.groupBy(posted, (one) => one.currency);
  const movedIn = Map.groupBy(moved, (one) => one.currency);
  const moneyIn = (of: string): OtbMoney => ({
    ...earnedOn(day.date, earnedIn.get(of) ?? []),
    ...moneyMoved(movedIn.get(of) ?? []),
  });
  const others = [...new Set([...earnedIn.keys(), ...movedIn.keys()])]
    .filter((of) => of !== currency)
    .sort()
    .map((of) => ({ currency: of, ...moneyIn(of) }));
  const own = moneyIn(currency);
  if (others.length === 0) return { unposted, ...own };
  const sold = withRoomsOf(
    own.sold,
    others.flatMap((other) => other.sold),
  );
  return { unposted, ...own, sold, others };
}

function postedOn(
  day: AuditedDay,
  stays: readonly AuditedStay[],
  { missed, gone }: Pick<Recorded, 'missed' | 'gone'>,
): { posted: Posted[]; unposted: ReservationId[] } {
  const { date } = day;
  const noShows = Map.groupBy(missedOn(day, missed), ({ id }) => id);
  const unposted: ReservationId[] = [];
  const posted = stays.flatMap((stay) => {
    const { id, roomType, currency } = stay;
    try {
      const due = (noShows.get(id) ?? []).flatMap(({ later }) => noShowPosting(stay, later) ?? []);
      const postings = [...postingsOn(stay, date, gone.has(id) ? date : undefined), ...due];
      return postings.map((posting) => ({ ...posting, roomType, currency }));
    } catch {
      unposted.push(id);
      return [];
    }
  });
  return { posted, unposted };
}

/**
 * No-shows are marked when their day is over, and belong to it while its audit waits for them; a guest marked later
 * belongs to the date of the marking. Each with the number of later markings of the same guest.
 */
function missedOn({ date, to }: AuditedDay, missed: readonly MissedArrival[]): { id: string; later: number }[] {
  return missed.flatMap(({ seq, id, arrival, isLate }, index) => {
    const isHere = arrival === date ? !isLate : isLate && seq <= to;
    return isHere ? [{ id, later: missed.slice(index + 1).filter((other) => other.id === id).length }] : [];
  });
}

/** Earnings of one currency by what the report shows. */
function earnedOn(
  date: Day,
  postings: readonly Posted[],
): Pick<OtbMoney, 'sold' | 'charges' | 'chargeTaxes' | 'penalties' | 'byTax' | 'late'> {
  const own = postings.filter(({ of }) => of === date);
  const late = Map.groupBy(
    postings.filter(({ of }) => of !== date),
    ({ of }) => of,
  );
  const all = earnedTogether(own);
  const { chargeTaxes = 0, byTax = [] } = all;
  const isNight = ({ nights, rooms }: Earned): boolean => nights !== 0 || rooms !== 0;
  const sold = [...Map.groupBy(own.filter(isNight), ({ roomType }) => roomType)].map(([roomType, ofType]) => {
    const { nights, rooms: revenue, taxes, ...more } = earnedTogether(ofType);
    return {
      roomType,
      rooms: nights,
      ...(more.comps !== undefined && { comps: more.comps }),
      revenue,
      taxes: taxes - (more.chargeTaxes ?? 0),
      fees: more.fees ?? 0,
      byTax: more.byTax?.filter(({ group }) => group === 'ROOM') ?? [],
    };
  });
  const soldTaxes = sum(sold, ({ taxes }) => taxes);
  const soldFees = sum(sold, (one) => one.fees);
  return {
    sold,
    charges: all.extras - soldFees,
    chargeTaxes,
    penalties: { revenue: all.penalties, taxes: all.taxes - soldTaxes - chargeTaxes },
    byTax,
    late: [...late].sort(([a], [b]) => a - b).map(([of, ofDay]) => ({ date: of, ...earnedTogether(ofDay) })),
  };
}

/** Sold rooms with those of other currencies: they are occupied, and their revenue is not in these amounts. */
function withRoomsOf(own: readonly SoldRooms[], others: readonly SoldRooms[]): SoldRooms[] {
  const merged = new Map(own.map((sold) => [sold.roomType, sold]));
  for (const { roomType, rooms, comps = 0 } of others) {
    const sold: SoldRooms = merged.get(roomType) ?? { roomType, rooms: 0, revenue: 0, taxes: 0, fees: 0 };
    const allComps = (sold.comps ?? 0) + comps;
    merged.set(roomType, {
      ...sold,
      rooms: sold.rooms + rooms,
      ...(allComps !== 0 && { comps: allComps }),
      otherCurrency: (sold.otherCurrency ?? 0) + rooms - comps,
    });
  }
  return [...merged.values()];
}

/** Payments of the day, by the date on which they were recorded as completed. */
function movedOn(
  { date, from, until }: AuditedDay,
  stays: readonly AuditedStay[],
  payments: readonly CompletedPayment[],
): CompletedPayment[] {
  const posted = new Map(stays.map(({ id, posted: days }) => [id, days?.money]));
  return payments.filter(({ id, reservationId, processedAt }) => {
    const on = posted.get(reservationId)?.[id];
    if (on !== undefined) return on === date;
    // Recorded by the release before, which counts it at the provider's time.
    return processedAt !== null && processedAt >= from && processedAt < until;
  });
}

/** A void reverses a charge, which counts as a refund. A chargeback is a payment below 0: nobody has given it. */
function moneyMoved(ofDay: readonly CompletedPayment[]): Pick<OtbMoney, 'payments' | 'refunds' | 'chargebacks'> {
  const together = (all: readonly CompletedPayment[]): MoneyMoved => ({
    count: all.length,
    amount: sum(all, ({ amount }) => amount),
  });
  const refunds = ofDay.filter(({ isCharge, isChargeback }) => !isCharge && !isChargeback);
  const chargebacks = ofDay.filter(({ isChargeback }) => isChargeback);
  const payments = ofDay.flatMap((row) => {
    if (row.isChargeback) return { ...row, amount: negated(row.amount) };
    return row.isCharge ? row : [];
  });
  const methods = Map.groupBy(payments, ({ method }) => method);
  return {
    payments: [...methods].map(([method, all]) => ({ method, ...together(all) })),
    refunds: together(refunds),
    ...(chargebacks.length > 0 && { chargebacks: together(chargebacks) }),
  };
}
