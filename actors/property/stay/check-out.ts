import { loyaltyPoints } from '../../../src/guests/rules/loyalty.ts';
import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { Day } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { Facts } from '../../../src/kernel/rules/journal.ts';
import { MAX_AMOUNT, type Minor, negated } from '../../../src/kernel/rules/money.ts';
import { type Instant, localTime } from '../../../src/kernel/rules/property-time.ts';
import { underWay } from '../../../src/money/rules/charges.ts';
import { type Bill, billedCharges, billOf, type FolioCharge, folioTotals } from '../../../src/money/rules/folio.ts';
import type { Night } from '../../../src/money/rules/night.ts';
import type { Payment } from '../../../src/money/rules/payment.ts';
import type { Room } from '../../../src/properties/rules/property.ts';
import { bookingTermsOf } from '../../../src/stay/rules/booking-terms.ts';
import { retainedByChange } from '../../../src/stay/rules/cancellation.ts';
import { owedByAccount } from '../../../src/stay/rules/collecting.ts';
import { earlyDepartureCharges } from '../../../src/stay/rules/early-departure.ts';
import type { CheckOutRecord, Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { factOf } from '../facts.ts';
import { enterCharges, onAccount } from '../money/collect.ts';
import { derivedId, orderRefunds } from '../money/refunds.ts';
import { moveNights } from '../nights.ts';
import { checkVersion, loaded } from './cancel.ts';
import { nightsUntil } from './changed-price.ts';
import { withOverstay } from './overstay.ts';
import { checkReportedTime } from './reported-time.ts';
import { checkAction, transition } from './transition.ts';

/**
 * The guest leaves (docs/reference/reservations.md#check-in-and-check-out). Where nothing is due he is gone with this
 * commit. Otherwise an attempt on his card is put on record, and he is gone once it has been charged.
 */
export function decideCheckOut(
  draft: Draft,
  command: CommandOf<'CHECK_OUT'>,
  context: DecisionContext,
): Decision<'CHECK_OUT'> {
  const stored = loaded(draft, command.reservationId);
  checkVersion(stored, command.ifVersion);
  checkAction(stored, 'checkOut');
  // The round after the roll may not have come to him yet.
  const before = withOverstay(draft, stored, context);
  if (before.leaving) throw new DomainError('INVALID_STATE', 'The stay is being checked out already.');
  const came = before.checkIn?.at;
  if (command.at !== undefined) checkReportedTime('/checkOutTime', command.at, context.now, { earliest: came });
  if (underWay(before.payments) > 0) throw new DomainError('INVALID_STATE', 'A payment is under way.');
  const leaves = leavingDay(draft, before, context.now);
  const nights = nightsUntil(draft, before, leaves);
  const ended = stayUntilNow(draft, before, nights, leaves, context.now);
  // What was given for good will is known now: credits of the desk come on top of it.
  const charges = [...chargesOf(command, draft.today), ...billedCharges(ended).map(fixed)];
  const left = leftEarly(before, nights, leaves, charges);
  checkTotal(left);
  const bill = billOf(left);
  const record = recordOf(command, left, Math.max(context.now, came ?? 0));
  const leaving = { paymentId: command.paymentId, record, charges, checkOut: leaves, refundId: command.refundId };
  const due = bill.balance - owedByAccount(left, draft.property!.metadata.policies, bill.balance);
  const isDue = due > 0 && !command.forced;
  if (isDue) checkCard(before);
  if (isDue && !command.dryRun) return chargeFirst(draft, before, leaving, { bill, due }, context);
  const { next, room } = gone(draft, before, leaving, context);
  const facts = { bookings: [factOf('CHECKED_OUT', next)], ...room };
  const refunds = next.payments.slice(before.payments.length);
  return { result: { reservation: next, bill, refunds }, entity: next.id, facts };
}

/** A stay that is over, and what the journal says of its room. */
type Gone = { next: Reservation; room: Pick<Facts, 'setup'> };

/** What was waited for has come: the guest is gone. */
export function finishCheckOut(draft: Draft, before: Reservation, context: DecisionContext): Gone {
  return gone(draft, before, before.leaving!, context);
}

type Departure = NonNullable<Reservation['leaving']>;

/**
 * A stay has, and pays for, a night at least; a guest who leaves later than booked was never sold the nights since. Who
 * leaves on the day that he booked is not early, though the business date has not rolled yet.
 */
function leavingDay({ today, property }: Draft, { stay }: Reservation, now: Instant): Day {
  const { day } = localTime(now, property!.metadata.timezone);
  return Math.max(stay.checkIn + 1, Math.min(stay.checkOut, day >= stay.checkOut ? day : today));
}

/** The stay as it was lived, with what it retains of nights that are given back. */
function stayUntilNow(
  draft: Draft,
  before: Reservation,
  nights: readonly Night[],
  leaves: Day,
  now: Instant,
): Reservation {
  const { metadata } = draft.property!;
  const { earlyDeparture } = bookingTermsOf(before, metadata.policies);
  const lived = leftEarly(before, nights, leaves, earlyDepartureCharges(before, nights, leaves, earlyDeparture));
  const isEarly = leaves < before.stay.checkOut;
  return { ...lived, retained: isEarly ? retainedByChange(before, metadata, now) : before.retained };
}

function chargesOf({ charges }: CommandOf<'CHECK_OUT'>, today: Day): FolioCharge[] {
  return charges.map(({ day = today, ...charge }) => ({ ...charge, day }));
}

/** A line that does not follow what the rest of the stay costs any more. */
function fixed(charge: FolioCharge): FolioCharge {
  const { goodwill: _, ...line } = charge;
  return line;
}

/** The stay as it was lived: without the nights from its last day on, with what was charged besides. */
function leftEarly(
  before: Reservation,
  nights: readonly Night[],
  leaves: Day,
  charges: readonly FolioCharge[],
): Reservation {
  return {
    ...before,
    stay: { ...before.stay, checkOut: leaves },
    nights: [...nights],
    charges: [...charges],
    // It stands among the charges now.
    retained: undefined,
  };
}

/**
 * @throws DomainError VALIDATION_FAILED where credits take the bill below nothing, or charges beyond what can be
 * stored
 */
function checkTotal(left: Reservation): void {
  const { total, fees } = folioTotals(left);
  const pointer = '/finalCharges';
  if (total < 0) {
    const errors = [{ pointer, code: 'BELOW_ZERO', detail: 'credits are more than the stay costs' }];
    throw new DomainError('VALIDATION_FAILED', 'The bill would be below zero.', { errors });
  }
  if (total <= MAX_AMOUNT && Math.abs(fees) <= MAX_AMOUNT) return;
  const errors = [{ pointer, code: 'TOO_BIG', detail: `the bill may come to ${MAX_AMOUNT / 100} at most` }];
  throw new DomainError('VALIDATION_FAILED', 'The bill would be more than an amount can hold.', { errors });
}

/** @param now when it is, where the desk does not say; a guest never leaves before he came */
function recordOf(command: CommandOf<'CHECK_OUT'>, left: Reservation, now: Instant): CheckOutRecord {
  const { checkOutId, at = now, roomCondition, keyCardsReturned, staffMember, forced, tier } = command;
  const record = { checkOutId, at, roomCondition, keyCardsReturned, staffMember };
  return { ...record, ...(forced && { forced }), loyaltyPoints: loyaltyPoints(folioTotals(left).base, tier) };
}

/** @throws DomainError PAYMENT_METHOD_REQUIRED */
function checkCard({ billing }: Reservation): void {
  if (billing?.card === undefined)
    throw new DomainError('PAYMENT_METHOD_REQUIRED', 'There is a balance and no card on file; take a payment first.');
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

/** Nights to come go back on sale, what was paid too much goes back, the room has to be cleaned. */
function leave(
  draft: Draft,
  before: Reservation,
  leaving: Departure,
  { now: at, subject }: DecisionContext,
): Reservation {
  const { record, charges, checkOut: leaves, refundId } = leaving;
  const left = leftEarly(before, nightsUntil(draft, before, leaves), leaves, charges);
  // From tonight on, also of the one night that a guest who leaves at once pays for: the room is free.
  const from = Math.max(before.stay.checkIn, draft.today);
  if (from < before.stay.checkOut) moveNights(draft, { ...before.stay, checkIn: from }, 'booked', -1);
  const { balance } = billOf(left);
  const over = Math.max(0, negated(balance));
  const account = owedByAccount(left, draft.property!.metadata.policies, balance);
  const refunds = over > 0 ? orderRefunds(draft, before, refundId, over, at) : [];
  const paymentId = derivedId(before.id, 'account', record.checkOutId);
  const invoiced = account > 0 ? [onAccount({ paymentId, type: 'CHARGE', amount: account, createdAt: at }, at)] : [];
  enterCharges(draft, before, invoiced);
  const room = before.roomNumber === undefined ? undefined : draft.rooms.get(before.roomNumber);
  if (room?.reservationId === before.id)
    draft.putRoom({ ...room, status: 'DIRTY', reservationId: undefined, updatedAt: at });
  const why = record.forced ? { notes: 'Forced', reason: 'FORCED' } : {};
  return transition(
    draft,
    before,
    'checkOut',
    { at, by: record.staffMember ?? subject, ...why },
    {
      stay: left.stay,
      nights: left.nights,
      charges: left.charges,
      retained: undefined,
      givenBack: undefined,
      paid: before.paid - over + account,
      payments: [...before.payments, ...refunds, ...invoiced],
      checkOut: record,
      leaving: undefined,
    },
  );
}

function gone(draft: Draft, before: Reservation, leaving: Departure, context: DecisionContext): Gone {
  const roomOf = (): Room | undefined => draft.rooms.get(before.roomNumber ?? '');
  const was = roomOf();
  const next = leave(draft, before, leaving, context);
  const after = roomOf();
  return { next, room: after ? { setup: [{ kind: 'room', id: after.roomNumber, before: was, after }] } : {} };
}
