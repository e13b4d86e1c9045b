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
  /** Of an extra with a stock: pieces and nights; `quantity` is one times the other. */
  nightly?: ExtraOfNights;
  /** Id of the posting of an extra by night that has more nights by this one, or fewer. */
  follows?: string;
};

/** Pieces of an extra on the nights of a stay (docs/reference/folio.md#extras-by-night). */
export type ExtraOfNights = {
  /** Its text on the price list. */
  name: string;
  pieces: number;
  from: Day;
  /** The morning after the last night. */
  to: Day;
  /** Taxes in the price of one piece and night. */
  taxLines?: TaxLine[];
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
 * night is not paid for staying. It takes back its part of the taxes that are left by then.
 */
export function billedCharges(reservation: Billed): FolioCharge[] {
  const { charges = [], retained = 0 } = reservation;
  const hasGoodwill = charges.some(({ goodwill }) => goodwill);
  if (retained === 0 && !hasGoodwill) return charges;
  const minimum = retainedCharge(reservation);
  if (!hasGoodwill) return [...charges, ...minimum];
  const uncredited = priceWithout(reservation, [...charges.filter(({ goodwill }) => !goodwill), ...minimum]);
  let left = { ...uncredited, total: Math.max(0, uncredited.total) };
  const counted = charges.flatMap((charge) => {
    if (!charge.goodwill) return charge;
    const part = Math.min(left.total, negated(charge.amount));
    if (part === 0) return [];
    // A credit of earlier releases has no taxes.
    const credit = { ...charge, amount: negated(part) };
    const taxed = charge.taxes === undefined ? credit : { ...credit, ...taxesBack(left, part, reservation.currency) };
    left = {
      total: left.total - part,
      taxes: left.taxes + (taxed.taxes ?? 0),
      lines: mergedLines([...left.lines, ...(taxed.taxLines ?? [])]),
    };
    return taxed;
  });
  return [...counted, ...minimum];
}

/** The difference to the retained amount of a changed stay that costs less. */
function retainedCharge(reservation: Billed): FolioCharge[] {
  const { charges = [], nights, cancellation, retained = 0, currency } = reservation;
  const { base, taxes, fees } = costOf(reservation);
  const rest =
    base + taxes + fees + sum(charges, ({ amount, goodwill, id }) => (goodwill || id !== undefined ? 0 : amount));
  if (cancellation || retained <= Math.max(0, rest)) return [];
  const line = { description: 'Retained under the terms', amount: retained - rest, code: RETAINED };
  return [penaltyCharge({ ...line, day: nights[0]!.day }, nights, currency)];
}

/** A price with the taxes in it; lines by code, those in extras too. */
type TaxedPrice = { total: Minor; taxes: Minor; lines: TaxLine[] };

/** The price of a reservation with the given charges beside its nights. */
function priceWithout(reservation: Billed, charges: readonly FolioCharge[]): TaxedPrice {
  const { base, taxes, fees } = costOf(reservation);
  return {
    total: base + taxes + fees + sum(charges, ({ amount }) => amount),
    taxes: taxes + sum(charges, (charge) => charge.taxes ?? 0),
    lines: mergedLines([...ownTaxLines(reservation), ...charges.flatMap(({ taxLines = [] }) => taxLines)]),
  };
}

/**
 * Part of the taxes of a price in proportion to a credit, half to even; the lines sum to it, and a credit of all of it
 * leaves none. Fees by night, person or stay are not credited: they stay owed for nights slept.
 */
export function taxesBack(
  { total, taxes, lines: all }: TaxedPrice,
  credit: Minor,
  currency: string,
): Pick<FolioCharge, 'taxes' | 'taxLines'> {
  const lines = all.filter(({ fee, amount }) => !fee && amount > 0);
  const increment = incrementOf(currency);
  const inside = sum(lines, ({ amount }) => amount);
  if (inside <= 0 || total <= 0) return {};
  const back = partsOf(
    scale(inside, credit, total, increment),
    lines.map(({ amount }) => amount),
    increment,
  );
  return {
    taxes: negated(scale(Math.max(0, taxes), credit, total, increment)),
    taxLines: mergedLines(lines.map((line, index) => ({ ...line, amount: negated(back[index]!) }))),
  };
}

/**
 * Taxes and fees of a reservation by code: of its nights and of charges beside them; for a cancelled, expired or
 * no-show reservation the taxes in the retained amount.
 */
export function folioTaxLines(reservation: Billed): TaxLine[] {
  const charged = billedCharges(reservation).flatMap(({ taxLines = [] }) => taxLines);
  return mergedLines([...ownTaxLines(reservation), ...charged]);
}

/** Taxes of the nights, or in the retained amount of a cancelled stay. */
function ownTaxLines({ nights, cancellation, currency }: Billed): TaxLine[] {
  if (!cancellation) return taxLinesOf(nights);
  return shareOfTaxes(penaltyParts(cancellation.penalty, nights, currency).taxes, nights, currency);
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
