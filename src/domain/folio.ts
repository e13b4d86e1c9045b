import { isGivenUp } from './charges.ts';
import type { Day } from './dates.ts';
import type { Minor } from './money.ts';
import { type Payment, type Reservation, totals, type Totals } from './reservation.ts';

/** Something that a guest owes beside the nights: gross, below 0 for a credit (contracts.md 7). */
export type FolioCharge = { description: string; amount: Minor; day: Day; code?: string };

/** The bill of a stay (specification 4.2, `finalBill`). */
export type Bill = {
  roomCharges: Minor;
  /** Fees of the stay and charges beside the nights. */
  additionalCharges: Minor;
  taxes: Minor;
  total: Minor;
  /** What is yet to be paid; below 0 where too much was. */
  balance: Minor;
};

type Billed = Pick<Reservation, 'nights' | 'charges'>;

/** Base, taxes, fees with all that was charged besides, and their sum. */
export function folioTotals({ nights, charges = [] }: Billed): Totals {
  const { base, taxes, fees } = totals(nights);
  const extra = charges.reduce((sum, { amount }) => sum + amount, 0);
  return { base, taxes, fees: fees + extra, total: base + taxes + fees + extra };
}

export function billOf(reservation: Billed & Pick<Reservation, 'paid'>): Bill {
  const { base, taxes, fees, total } = folioTotals(reservation);
  return { roomCharges: base, additionalCharges: fees, taxes, total, balance: total - reservation.paid };
}

/** Money that came and stayed, less what was given back or ordered to be. */
export function received(payments: readonly Payment[]): Minor {
  const kept = (payment: Payment): Minor => {
    if (payment.type === 'CHARGE') return payment.status === 'COMPLETED' ? payment.amount : 0;
    return isGivenUp(payment) ? 0 : -payment.amount;
  };
  return payments.reduce((sum, payment) => sum + kept(payment), 0);
}

/** Cents that were made or lost, or a stay that is not the one which is paid for: a fault of ours. */
export class MoneyFault extends Error {
  override readonly name = 'MoneyFault';
}

/**
 * Cents are never made and never lost: what is paid is what the payments say, and never below 0; every night of the stay
 * has its price, no other has one.
 * @returns what is wrong, naming the reservation; `undefined` when nothing is
 */
export function moneyFault({ id, paid, payments, stay, nights }: Reservation): string | undefined {
  const sum = received(payments);
  if (paid !== sum || paid < 0) return `reservation ${id}: ${paid} is paid, its payments say ${sum}`;
  let day = stay.checkIn;
  for (const night of nights) {
    if (night.day !== day || night.rate < 0 || !Number.isSafeInteger(night.rate + night.taxes + night.fees)) break;
    day += 1;
  }
  if (day === stay.checkOut && nights.length === stay.checkOut - stay.checkIn) return undefined;
  return `reservation ${id}: its nights are not those of its stay`;
}

/** Asserted before a reservation is written. @throws MoneyFault */
export function assertMoney(reservation: Reservation): void {
  const wrong = moneyFault(reservation);
  if (wrong !== undefined) throw new MoneyFault(wrong);
}
