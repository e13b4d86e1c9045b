import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import { incrementOf, type Minor, negated, partsOf, scale } from '../../kernel/rules/money.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import { isChargeback, isGivenUp } from './charges.ts';
import type { ChargeKind, FolioWindow } from './folio-window.ts';
import { type Night, totals, type Totals } from './night.ts';
import type { Payment } from './payment.ts';
import { penaltyParts } from './penalty.ts';
import { mergedLines, shareOfTaxes, type TaxLine, taxLinesOf } from './taxes.ts';

/** A charge beside the nights: gross, negative for a credit (docs/concepts/money.md#check-out). */
export type FolioCharge = {
  description: string;
  amount: Minor;
  day: Day;
  code?: string;
  /** Known taxes in the amount. */
  taxLines?: TaxLine[];
  /** Taxes that are in the amount: of a penalty, or those of the stay that a credit takes back, below 0. */
  taxes?: Minor;
  /** Credited as goodwill; limited to the price of the rest of the stay. */
  goodwill?: true;
  /** Credited after departure: not on the bill of the departure. */
  afterwards?: true;
  /** Id of a posting: a charge added to the folio during the stay (docs/reference/folio.md#post). */
  id?: string;
  kind?: ChargeKind;
  quantity?: number;
  unitAmount?: Minor;
  /** Window that it was posted to; the default depends on its kind. */
  window?: FolioWindow;
  by?: string;
  /** Id of the posting that this one voids, with the reason. */
  voids?: string;
  notes?: string;
};

/** Bill of a stay (`finalBill`, docs/reference/reservations.md#check-in-and-check-out). */
export type Bill = {
  roomCharges: Minor;
  /** Fees of the stay and charges beside the nights. */
  additionalCharges: Minor;
  taxes: Minor;
  total: Minor;
  /** Amount due; negative when overpaid. */
  balance: Minor;
};

/** Charge code for the retained minimum of a changed stay that exceeds its nights. */
export const RETAINED = 'RETAINED';

/** Charge code for given-back nights that the property retains. */
export const EARLY_DEPARTURE = 'EARLY_DEPARTURE';

/** Whether a charge is retained of nights that were not slept; those of earlier releases have no taxes and are extras. */
export function isPenaltyCharge({ code, taxes }: FolioCharge): boolean {
  return (code === RETAINED || code === EARLY_DEPARTURE) && taxes !== undefined;
}

/** A retained amount with its part of the taxes of nights, and without fees, as a penalty has them. */
export function penaltyCharge(
  line: Pick<FolioCharge, 'description' | 'amount' | 'day' | 'code'>,
  nights: readonly Night[],
  currency: string,
): FolioCharge {
  const { taxes } = penaltyParts(line.amount, nights, currency);
  return { ...line, taxes, taxLines: shareOfTaxes(taxes, nights, currency) };
}

type Billed = Pick<Reservation, 'nights' | 'charges' | 'cancellation' | 'retained' | 'currency'>;

/**
 * Price of a reservation: base, taxes, fees with all charges beside the nights, and their sum. A cancelled, expired or
 * no-show reservation costs the retained amount, which is no debt: its `balance` is 0, or negative when overpaid.
 */
export function folioTotals(reservation: Billed): Totals {
  const { base, taxes, fees } = costOf(reservation);
  const charges = billedCharges(reservation);
  const extra = sum(charges, ({ amount }) => amount);
  const within = sum(charges, (charge) => charge.taxes ?? 0);
  return { base, taxes: taxes + within, fees: fees + extra - within, total: base + taxes + fees + extra };
}

/** A penalty as totals, without fees: those of a night, city tax among them, are owed only for nights slept. */
function retainedOf(penalty: Minor, { nights, currency }: Billed): Omit<Totals, 'total'> {
  const { revenue, taxes } = penaltyParts(penalty, nights, currency);
  return { base: revenue, taxes, fees: 0 };
}

/** Nights, or the retained amount of a cancelled stay. */
function costOf(reservation: Billed): Omit<Totals, 'total'> {
  const { nights, cancellation } = reservation;
  return cancellation ? retainedOf(cancellation.penalty, reservation) : totals(nights);
}

/**
 * Charges and credits beside the nights. A changed stay costs at least its retained amount, and postings come on top.
 * Goodwill is limited to the price of the rest: a guest with a goodwill of 50.00 who then gives back all but one cheap
 * night is not paid for staying.
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
    return part === 0 ? [] : creditedInPart(charge, part, reservation.currency);
  });
  if (least <= Math.max(0, rest)) return counted;
  const { day } = nights[0]!;
  const line = { description: 'Retained under the terms', amount: least - rest, day, code: RETAINED };
  return [...counted, penaltyCharge(line, nights, reservation.currency)];
}

/** The part of a goodwill credit that counts, with the same part of its taxes. */
function creditedInPart({ taxes, taxLines, ...charge }: FolioCharge, part: Minor, currency: string): FolioCharge {
  const share = (amount: Minor): Minor => scale(amount, part, negated(charge.amount), incrementOf(currency));
  if (taxes === undefined || taxLines === undefined) return { ...charge, amount: negated(part) };
  const back = partsOf(
    share(sum(taxLines, ({ amount }) => negated(amount))),
    taxLines.map(({ amount }) => negated(amount)),
    incrementOf(currency),
  );
  const lines = mergedLines(taxLines.map((line, index) => ({ ...line, amount: negated(back[index]!) })));
  return { ...charge, amount: negated(part), taxes: negated(share(negated(taxes))), taxLines: lines };
}

/**
 * Taxes and fees of a reservation by code: of its nights and of charges beside them; for a cancelled, expired or
 * no-show reservation the taxes in the retained amount.
 */
export function folioTaxLines(reservation: Billed): TaxLine[] {
  const { nights, cancellation, currency } = reservation;
  const own = cancellation
    ? shareOfTaxes(penaltyParts(cancellation.penalty, nights, currency).taxes, nights, currency)
    : taxLinesOf(nights);
  return mergedLines([...own, ...billedCharges(reservation).flatMap(({ taxLines = [] }) => taxLines)]);
}

/** Price of a cancelled, expired or no-show reservation before it ended; `undefined` for any other. */
export function originalTotal({ nights, cancellation }: Pick<Billed, 'nights' | 'cancellation'>): Minor | undefined {
  return cancellation && (cancellation.originalTotal ?? totals(nights).total);
}

export const PAYMENT_STATUSES = ['PAID', 'PARTIALLY_PAID', 'UNPAID', 'REFUNDED', 'FAILED'] as const;

/** `financial.paymentStatus` of a reservation. */
export function paymentStatus(reservation: Reservation): (typeof PAYMENT_STATUSES)[number] {
  const { payments, paid, cancellation } = reservation;
  const { total } = folioTotals(reservation);
  if (paid > 0) return paid >= total ? 'PAID' : 'PARTIALLY_PAID';
  if (payments.some((payment) => payment.type === 'REFUND' && !isChargeback(payment))) return 'REFUNDED';
  if (payments.some((payment) => payment.status === 'FAILED')) return 'FAILED';
  return total === 0 && !cancellation ? 'PAID' : 'UNPAID';
}

export function billOf(reservation: Billed & Pick<Reservation, 'paid'>): Bill {
  const { base, taxes, fees, total } = folioTotals(reservation);
  return { roomCharges: base, additionalCharges: fees, taxes, total, balance: total - reservation.paid };
}

/** Captured payments less refunds, made or ordered. */
export function received(payments: readonly Payment[]): Minor {
  const retained = (payment: Payment): Minor => {
    if (payment.type === 'CHARGE') return payment.status === 'COMPLETED' ? payment.amount : 0;
    return isGivenUp(payment) ? 0 : negated(payment.amount);
  };
  return sum(payments, retained);
}
