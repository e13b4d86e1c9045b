import { loyaltyPoints } from '../../../src/guests/rules/loyalty.ts';
import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { Day } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { Facts } from '../../../src/kernel/rules/journal.ts';
import { decimalText, MAX_AMOUNT, type Minor, negated } from '../../../src/kernel/rules/money.ts';
import { type Instant, localTime } from '../../../src/kernel/rules/property-time.ts';
import { underWay } from '../../../src/money/rules/charges.ts';
import { accountWindow } from '../../../src/money/rules/folio-window.ts';
import {
  type Bill,
  billedCharges,
  billOf,
  type FolioCharge,
  folioTotals,
  RETAINED,
} from '../../../src/money/rules/folio.ts';
import { INVOICE_PARTIES, invoiceOfParty, type InvoiceParty } from '../../../src/money/rules/invoice.ts';
import type { Night } from '../../../src/money/rules/night.ts';
import type { Payment } from '../../../src/money/rules/payment.ts';
import { sharerBalance } from '../../../src/money/rules/shared-money.ts';
import type { Room } from '../../../src/properties/rules/property.ts';
import { bookingTermsOf } from '../../../src/stay/rules/booking-terms.ts';
import { retainedByChange } from '../../../src/stay/rules/cancellation.ts';
import { owedByAccount } from '../../../src/stay/rules/collecting.ts';
import { earlyDepartureCharges } from '../../../src/stay/rules/early-departure.ts';
import type { CheckOutRecord, Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import { derivedId } from '../derived-id.ts';
import type { Draft } from '../draft.ts';
import { factOf } from '../facts.ts';
import { pickUp } from '../groups/group-nights.ts';
import { enterCharges, onAccount } from '../money/collect.ts';
import { withExtrasOfNights } from '../money/extra-stays.ts';
import { orderRefunds } from '../money/refunds.ts';
import { moveNights } from '../nights.ts';
import { stateAfterGuest } from '../rooms/closed-rooms.ts';
import { checkVersion, loaded } from './cancel.ts';
import { nightsUntil } from './changed-price.ts';
import { withOverstay } from './overstay.ts';
import { checkReportedTime } from './reported-time.ts';
import { checkCurrency } from './terms.ts';
import { checkAction, transition } from './transition.ts';

/**
 * Checks a guest out (docs/reference/reservations.md#check-in-and-check-out). When nothing is due, the stay ends with
 * this commit. Otherwise a charge of the card on file is recorded, and the stay ends once it has succeeded.
 */
export function decideCheckOut(
  draft: Draft,
  command: CommandOf<'CHECK_OUT'>,
  context: DecisionContext,
): Decision<'CHECK_OUT'> {
  const stored = loaded(draft, command.reservationId);
  checkVersion(stored, command.ifVersion);
  checkAction(stored, 'checkOut');
  // The background round that records an overstay may not have run yet.
  const before = withOverstay(draft, stored, context);
  if (before.leaving) throw new DomainError('INVALID_STATE', 'The stay is being checked out already.');
  if (command.charges.some(({ code }) => code !== undefined)) checkCurrency(draft, before);
  const arrivedAt = before.checkIn?.at;
  if (command.at !== undefined) checkReportedTime('/checkOutTime', command.at, context.now, { earliest: arrivedAt });
  if (underWay(before.payments) > 0) throw new DomainError('INVALID_STATE', 'A payment is under way.');
  const departureDay = departureDayOf(draft, before, context.now);
  const nights = nightsUntil(draft, before, departureDay);
  const ended = stayUntilNow(draft, before, nights, departureDay, context);
  // Goodwill credits are final at this point; credits of the desk are added to them.
  const charges = [
    ...chargesOf(command, draft.today),
    ...billedCharges(ended).map((one) => finalCharge(one, draft.today)),
  ];
  const actualStay = withDeparture(before, nights, departureDay, charges);
  checkTotal(actualStay);
  if (!command.forced) checkInvoices(actualStay);
  const bill = billOf(actualStay);
  const record = recordOf(command, actualStay, Math.max(context.now, arrivedAt ?? 0));
  const leaving = {
    paymentId: command.paymentId,
    record,
    charges,
    checkOut: departureDay,
    refundId: command.refundId,
    ...(command.invoiceTo && { invoiceTo: command.invoiceTo }),
  };
  const ofSharer = sharerBalance(actualStay);
  if (ofSharer > 0 && !command.forced) throw sharerOwes(ofSharer);
  const balance: Minor = bill.balance - ofSharer;
  const due: Minor = balance - owedByAccount(actualStay, balance);
  const isDue = due > 0 && !command.forced;
  if (isDue) checkCard(before);
  if (isDue && !command.dryRun) return chargeFirst(draft, before, leaving, { bill, due }, context);
  const { next, room } = completeCheckOut(draft, before, leaving, context);
  const facts = { bookings: [factOf('CHECKED_OUT', next)], ...room };
  // What an account takes over is new, too, and goes to nobody.
  const refunds = next.payments.slice(before.payments.length).filter(({ type }) => type === 'REFUND');
  return { result: { reservation: next, bill, refunds }, entity: next.id, facts };
}

/** A completed stay, and the fact about its room for the journal. */
type Departed = { next: Reservation; room: Pick<Facts, 'setup'> };

/** Completes a check-out whose payment has arrived. */
export function finishCheckOut(draft: Draft, before: Reservation, context: DecisionContext): Departed {
  return completeCheckOut(draft, before, before.leaving!, context);
}

type Departure = NonNullable<Reservation['leaving']>;

/**
 * Day of departure for billing. A stay has at least one night. A guest who leaves later than booked has not bought the
 * further nights. A guest who leaves on the booked day is not early, even if the business date has not rolled yet.
 */
function departureDayOf({ today, property }: Draft, { stay }: Reservation, now: Instant): Day {
  const { day } = localTime(now, property!.metadata.timezone);
  return Math.max(stay.checkIn + 1, Math.min(stay.checkOut, day >= stay.checkOut ? day : today));
}

/** The stay as it took place, with what is retained for nights that are given back. */
function stayUntilNow(
  draft: Draft,
  before: Reservation,
  nights: readonly Night[],
  departureDay: Day,
  context: DecisionContext,
): Reservation {
  const { metadata } = draft.property!;
  const { earlyDeparture } = bookingTermsOf(before, metadata.policies);
  const shortened = withDeparture(
    before,
    nights,
    departureDay,
    earlyDepartureCharges(before, nights, departureDay, earlyDeparture, draft.today),
  );
  const isEarly = departureDay < before.stay.checkOut;
  const retained = isEarly ? retainedByChange(before, metadata, context.now) : before.retained;
  return { ...withExtrasOfNights(draft, before, shortened, context), retained };
}

function chargesOf({ charges }: CommandOf<'CHECK_OUT'>, today: Day): FolioCharge[] {
  return charges.map(({ day = today, ...charge }) => ({ ...charge, day }));
}

/** A charge whose amount no longer depends on the rest of the stay: what is retained is due with the departure. */
function finalCharge(charge: FolioCharge, today: Day): FolioCharge {
  const { goodwill: _, ...line } = charge;
  return line.code === RETAINED ? { ...line, day: today } : line;
}

/** The stay with an actual day of departure: without the nights from that day on, and with the given charges. */
function withDeparture(
  before: Reservation,
  nights: readonly Night[],
  departureDay: Day,
  charges: readonly FolioCharge[],
): Reservation {
  return {
    ...before,
    stay: { ...before.stay, checkOut: departureDay },
    nights: [...nights],
    charges: [...charges],
    // The retained amount is among the charges now.
    retained: undefined,
  };
}

/**
 * @throws DomainError VALIDATION_FAILED where credits exceed the cost of the stay, or charges exceed what can be
 * stored
 */
function checkTotal(actualStay: Reservation): void {
  const { total, fees } = folioTotals(actualStay);
  const pointer = '/finalCharges';
  if (total < 0) {
    const errors = [{ pointer, code: 'BELOW_ZERO', detail: 'credits are more than the stay costs' }];
    throw new DomainError('VALIDATION_FAILED', 'The bill would be below zero.', { errors });
  }
  if (total <= MAX_AMOUNT && Math.abs(fees) <= MAX_AMOUNT) return;
  const errors = [{ pointer, code: 'TOO_BIG', detail: `the bill may come to ${MAX_AMOUNT / 100} at most` }];
  throw new DomainError('VALIDATION_FAILED', 'The bill would be more than an amount can hold.', { errors });
}

/** Checks that neither of two guests is invoiced less than nothing. @throws DomainError VALIDATION_FAILED */
function checkInvoices(actualStay: Reservation): void {
  const isBelow = (party: InvoiceParty): boolean => invoiceOfParty(actualStay, party).total < 0;
  if (!actualStay.sharer || !INVOICE_PARTIES.some(isBelow)) return;
  const detail = 'credits of one guest are more than this guest is to pay: route them to another window';
  const errors = [{ pointer: '/finalCharges', code: 'BELOW_ZERO', detail }];
  throw new DomainError('VALIDATION_FAILED', 'The bill of one of the guests would be below zero.', { errors });
}

/** @param now time of the check-out when the desk gives none; never before the arrival */
function recordOf(command: CommandOf<'CHECK_OUT'>, actualStay: Reservation, now: Instant): CheckOutRecord {
  const { checkOutId, at = now, roomCondition, keyCardsReturned, staffMember, forced, tier } = command;
  const record = { checkOutId, at, roomCondition, keyCardsReturned, staffMember };
  return { ...record, ...(forced && { forced }), loyaltyPoints: loyaltyPoints(folioTotals(actualStay).base, tier) };
}

/** @throws DomainError PAYMENT_METHOD_REQUIRED */
function checkCard({ billing }: Reservation): void {
  if (billing?.card === undefined)
    throw new DomainError('PAYMENT_METHOD_REQUIRED', 'There is a balance and no card on file; take a payment first.');
}

/** The sharer has no card on file. */
function sharerOwes(amount: Minor): DomainError {
  const open = `${decimalText(amount)} is open in the window SHARER`;
  return new DomainError('SHARER_OWES', `${open}: take a payment with window SHARER, or route it to another window.`);
}

function chargeFirst(
  draft: Draft,
  before: Reservation,
  leaving: Departure,
  { bill, due }: { bill: Bill; due: Minor },
  { now }: DecisionContext,
): Decision<'CHECK_OUT'> {
  const attempt: Payment = {
    paymentId: leaving.paymentId,
    type: 'CHARGE',
    amount: due,
    method: 'CARD_ON_FILE',
    status: 'PROCESSING',
    createdAt: now,
  };
  const next = { ...before, leaving, payments: [...before.payments, attempt], version: before.version + 1 };
  draft.reservations.set(next.id, next);
  draft.payments.set(attempt.paymentId, { reservationId: next.id, payment: attempt });
  draft.created.add(attempt.paymentId);
  return { result: { reservation: next, bill, attempt }, entity: next.id, facts: {} };
}

/**
 * Records the departure: remaining nights go back on sale, an overpayment is refunded, and the room needs cleaning.
 */
function recordDeparture(
  draft: Draft,
  before: Reservation,
  leaving: Departure,
  { now: at, subject }: DecisionContext,
): Reservation {
  const { record, charges, checkOut: departureDay, refundId, invoiceTo } = leaving;
  const actualStay = withDeparture(before, nightsUntil(draft, before, departureDay), departureDay, charges);
  // From tonight on, including the one night that a guest pays who leaves at once: the room is free.
  const from = Math.max(before.stay.checkIn, draft.today);
  if (from < before.stay.checkOut) {
    const free = { ...before.stay, checkIn: from };
    moveNights(draft, free, 'booked', -1);
    if (before.groupId !== undefined) pickUp(draft, before.groupId, free, -1);
  }
  const ofSharer = sharerBalance(actualStay);
  // A sharer who leaves without paying owes it to the stay: nobody gets it back.
  const balance: Minor = billOf(actualStay).balance - Math.min(0, ofSharer);
  const account = owedByAccount(actualStay, balance - Math.max(0, ofSharer));
  const overpaid: Minor = Math.max(0, account - balance) + Math.max(0, negated(ofSharer));
  // What the account takes over was overpaid by others.
  const except = account > 0 ? accountWindow(before) : undefined;
  const refunds = orderRefunds(draft, before, { refundId, amount: overpaid, except, priced: actualStay }, at);
  const paymentId = derivedId(before.id, 'account', record.checkOutId);
  const invoiced = account > 0 ? [onAccount({ paymentId, type: 'CHARGE', amount: account, createdAt: at }, at)] : [];
  enterCharges(draft, before, invoiced);
  const room = before.roomNumber === undefined ? undefined : draft.rooms.get(before.roomNumber);
  if (room?.reservationId === before.id)
    draft.putRoom({
      ...room,
      status: stateAfterGuest(draft, room.roomNumber),
      reservationId: undefined,
      updatedAt: at,
    });
  const why = record.forced ? { notes: 'Forced', reason: 'FORCED' } : {};
  return transition(
    draft,
    before,
    'checkOut',
    { at, by: record.staffMember ?? subject, ...why, invoiceTo },
    {
      stay: actualStay.stay,
      nights: actualStay.nights,
      charges: actualStay.charges,
      retained: undefined,
      givenBack: undefined,
      paid: before.paid - overpaid + account,
      payments: [...before.payments, ...refunds, ...invoiced],
      ...(account > 0 && { paymentWindows: { ...before.paymentWindows, [paymentId]: accountWindow(before)! } }),
      checkOut: record,
      leaving: undefined,
    },
  );
}

function completeCheckOut(draft: Draft, before: Reservation, leaving: Departure, context: DecisionContext): Departed {
  const roomOf = (): Room | undefined => draft.rooms.get(before.roomNumber ?? '');
  const was = roomOf();
  const next = recordDeparture(draft, before, leaving, context);
  const after = roomOf();
  return { next, room: after ? { setup: [{ kind: 'room', id: after.roomNumber, before: was, after }] } : {} };
}
