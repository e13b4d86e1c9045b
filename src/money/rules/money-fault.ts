import { sum } from '../../kernel/rules/figures.ts';
import { negated } from '../../kernel/rules/money.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import { folioTotals, received } from './folio.ts';
import { INVOICE_PARTIES, invoiceOf, invoiceOfParty } from './invoice.ts';
import { windowBalances, costLines } from './postings.ts';

/** Amounts that do not add up, or a stay without a price for each night: a bug in this service. */
export class MoneyFault extends Error {
  override readonly name = 'MoneyFault';
}

/**
 * Checks the amounts of a reservation: what is paid equals the payments and is never negative; every night of the stay
 * has a price, and no other day has one; postings, windows and invoice each sum to the total; each reversal equals its
 * posting, once.
 * @returns the fault with the reservation's number; `undefined` when there is none
 */
export function moneyFault(reservation: Reservation): string | undefined {
  const wrong = nightFault(reservation) ?? folioFault(reservation) ?? voidFault(reservation);
  return wrong && `reservation ${reservation.id}: ${wrong}`;
}

function nightFault({ paid, payments, stay, nights }: Reservation): string | undefined {
  const came = received(payments);
  if (paid !== came || paid < 0) return `${paid} is paid, its payments say ${came}`;
  let day = stay.checkIn;
  for (const night of nights) {
    if (night.day !== day || night.rate < 0 || !Number.isSafeInteger(night.rate + night.taxes + night.fees)) break;
    day += 1;
  }
  if (day === stay.checkOut && nights.length === stay.checkOut - stay.checkIn) return undefined;
  return 'its nights are not those of its stay';
}

function folioFault(reservation: Reservation): string | undefined {
  if (isPlain(reservation)) return undefined;
  const { total } = folioTotals(reservation);
  const postings = costLines(reservation, -Infinity);
  const posted = sum(postings, ({ amount }) => amount);
  if (posted !== total) return `its postings are ${posted}, its total is ${total}`;
  const windows = windowBalances(reservation, postings);
  const owed = sum(windows, (one) => one.expectedTotal);
  const paid = sum(windows, (one) => one.paid);
  if (owed !== total || paid !== reservation.paid) return `its windows are ${owed} and ${paid}`;
  const { lines, fees, total: invoiced } = invoiceOf(reservation);
  const ofLines = sum(lines, ({ amount, taxes }) => amount + taxes);
  if (invoiced !== total || ofLines !== total) return `its invoice is ${ofLines} with fees of ${fees}`;
  return reservation.sharer && shareFault(reservation, windows);
}

/** Of a stay that two guests pay for: each is invoiced what is in the own window, and both together all of it. */
function shareFault(reservation: Reservation, windows: ReturnType<typeof windowBalances>): string | undefined {
  for (const party of INVOICE_PARTIES) {
    const own = windows.filter(({ window }) => (window === 'SHARER') === (party === 'SHARER'));
    const owed = sum(own, ({ expectedTotal }) => expectedTotal);
    const { total, paid, lines } = invoiceOfParty(reservation, party);
    const ofLines = sum(lines, ({ amount, taxes }) => amount + taxes);
    const came = sum(own, (one) => one.paid);
    if (total !== owed || ofLines !== owed || paid !== came)
      return `invoice ${party} is ${ofLines}, its windows ${owed}, ${paid} and ${came} are paid`;
  }
  return undefined;
}

/** A reservation of only nights and payments needs no sums: its lines are its total. Most bookings are such. */
function isPlain(reservation: Reservation): boolean {
  const { charges, cancellation, retained, routing, paymentWindows, nights } = reservation;
  if (nights.some(({ surcharge }) => surcharge)) return false;
  return !charges && !cancellation && retained === undefined && !routing && !paymentWindows;
}

function voidFault({ charges = [] }: Reservation): string | undefined {
  const reversals = charges.filter(({ voids }) => voids !== undefined);
  if (reversals.length === 0) return undefined;
  const byId = new Map(charges.map((charge) => [charge.id, charge]));
  const taken = new Set<string>();
  for (const { voids, amount } of reversals) {
    const posting = byId.get(voids);
    if (posting?.voids !== undefined || posting?.amount !== negated(amount) || taken.has(voids!))
      return `posting ${voids} was taken back by ${amount}`;
    taken.add(voids!);
  }
  return undefined;
}

/** Asserted before a reservation is written. @throws MoneyFault */
export function assertMoney(reservation: Reservation): void {
  const wrong = moneyFault(reservation);
  if (wrong !== undefined) throw new MoneyFault(wrong);
}
