import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import { type Minor, negated } from '../../kernel/rules/money.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import { isGivenUp } from './charges.ts';
import type { ChargeKind, FolioWindow } from './folio-window.ts';
import { totals, type Totals } from './night.ts';
import type { Payment } from './payment.ts';
import { penaltyParts } from './penalty.ts';
import { mergedLines, shareOfTaxes, type TaxLine, taxLinesOf } from './taxes.ts';

/** Something that a guest owes beside the nights: gross, below 0 for a credit (docs/concepts/money.md#check-out). */
export type FolioCharge = {
  description: string;
  amount: Minor;
  day: Day;
  code?: string;
  /** Taxes that are in it, as far as they are known. */
  taxLines?: TaxLine[];
  /** Given up for good will, by ourselves: it counts up to what the rest of the stay costs. */
  goodwill?: true;
  /** Given up when the stay was over: the bill of its departure knew nothing of it. */
  afterwards?: true;
  /** Of a posting: somebody put it into the folio during the stay (docs/reference/folio.md#post). */
  id?: string;
  kind?: ChargeKind;
  quantity?: number;
  unitAmount?: Minor;
  /** The window that it was posted to; else its kind says it. */
  window?: FolioWindow;
  by?: string;
  /** The posting that this one takes back, by its id, and why. */
  voids?: string;
  notes?: string;
};

/** The bill of a stay (`finalBill`, docs/reference/reservations.md#check-in-and-check-out). */
export type Bill = {
  roomCharges: Minor;
  /** Fees of the stay and charges beside the nights. */
  additionalCharges: Minor;
  taxes: Minor;
  total: Minor;
  /** What is yet to be paid; below 0 where too much was. */
  balance: Minor;
};

/** Under which code the bill has what a changed stay costs beyond its nights. */
export const RETAINED = 'RETAINED';

type Billed = Pick<Reservation, 'nights' | 'charges' | 'cancellation' | 'retained' | 'currency'>;

/**
 * What a reservation costs: base, taxes, fees with all that was charged besides, and their sum. One that was cancelled,
 * expired or a no-show costs what is retained, which is no debt: `balance` is 0, or below where more was paid.
 */
export function folioTotals(reservation: Billed): Totals {
  const { base, taxes, fees } = costOf(reservation);
  const extra = sum(billedCharges(reservation), ({ amount }) => amount);
  return { base, taxes, fees: fees + extra, total: base + taxes + fees + extra };
}

/** A penalty as a total: fees of a night, city tax among them, are owed for a night that was slept. */
function retainedOf(penalty: Minor, { nights, currency }: Billed): Omit<Totals, 'total'> {
  const { revenue, taxes } = penaltyParts(penalty, nights, currency);
  return { base: revenue, taxes, fees: 0 };
}

/** Nights, or what is retained of a cancelled stay. */
function costOf(reservation: Billed): Omit<Totals, 'total'> {
  const { nights, cancellation } = reservation;
  return cancellation ? retainedOf(cancellation.penalty, reservation) : totals(nights);
}

/**
 * What is charged and credited beside the nights. A stay that was changed costs at least what it retains, and what was
 * posted comes on top. Goodwill is at most what the rest costs: a guest who was given 50.00 and then gives back all but
 * one cheap night is not paid for staying.
 */
export function billedCharges(reservation: Billed): FolioCharge[] {
  const { charges = [], nights, cancellation, retained = 0 } = reservation;
  if (retained === 0 && !charges.some(({ goodwill }) => goodwill)) return charges;
  const { base, taxes, fees } = costOf(reservation);
  const others = sum(charges, ({ amount, goodwill, id }) => (goodwill || id !== undefined ? 0 : amount));
  const posted = sum(charges, ({ amount, id }) => (id === undefined ? 0 : amount));
  const rest = base + taxes + fees + others;
  const least = cancellation ? 0 : retained;
  let left = Math.max(0, Math.max(rest, least) + posted);
  const counted = charges.flatMap((charge) => {
    if (!charge.goodwill) return charge;
    const part = Math.min(left, negated(charge.amount));
    left -= part;
    return part === 0 ? [] : { ...charge, amount: -part };
  });
  if (least <= Math.max(0, rest)) return counted;
  const { day } = nights[0]!;
  return [...counted, { description: 'Retained under the terms', amount: least - rest, day, code: RETAINED }];
}

/**
 * Taxes and fees of a reservation by their codes: of its nights, and those in charges beside them; of one that was
 * cancelled, expired or a no-show the taxes in what is retained.
 */
export function folioTaxLines(reservation: Billed): TaxLine[] {
  const { nights, cancellation, currency } = reservation;
  const own = cancellation
    ? shareOfTaxes(penaltyParts(cancellation.penalty, nights, currency).taxes, nights, currency)
    : taxLinesOf(nights);
  return mergedLines([...own, ...billedCharges(reservation).flatMap(({ taxLines = [] }) => taxLines)]);
}

/** What a reservation that was cancelled, expired or a no-show would have cost; `undefined` of any other. */
export function originalTotal({ nights, cancellation }: Pick<Billed, 'nights' | 'cancellation'>): Minor | undefined {
  return cancellation && (cancellation.originalTotal ?? totals(nights).total);
}

export const PAYMENT_STATUSES = ['PAID', 'PARTIALLY_PAID', 'UNPAID', 'REFUNDED', 'FAILED'] as const;

/** How much of a reservation is paid, in the word of `financial.paymentStatus`. */
export function paymentStatus(reservation: Reservation): (typeof PAYMENT_STATUSES)[number] {
  const { payments, paid, cancellation } = reservation;
  const { total } = folioTotals(reservation);
  if (paid > 0) return paid >= total ? 'PAID' : 'PARTIALLY_PAID';
  if (payments.some((payment) => payment.type === 'REFUND')) return 'REFUNDED';
  if (payments.some((payment) => payment.status === 'FAILED')) return 'FAILED';
  return total === 0 && !cancellation ? 'PAID' : 'UNPAID';
}

export function billOf(reservation: Billed & Pick<Reservation, 'paid'>): Bill {
  const { base, taxes, fees, total } = folioTotals(reservation);
  return { roomCharges: base, additionalCharges: fees, taxes, total, balance: total - reservation.paid };
}

/** Money that came and stayed, less what was given back or ordered to be. */
export function received(payments: readonly Payment[]): Minor {
  const retained = (payment: Payment): Minor => {
    if (payment.type === 'CHARGE') return payment.status === 'COMPLETED' ? payment.amount : 0;
    return isGivenUp(payment) ? 0 : negated(payment.amount);
  };
  return sum(payments, retained);
}
