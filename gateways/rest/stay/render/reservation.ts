import type { guestInfo } from '../../../../src/guests/contracts/guest-answers.ts';
import type { Guest, LoyaltyTier } from '../../../../src/guests/rules/guest.ts';
import type { Caller } from '../../../../src/kernel/rules/caller.ts';
import type { CommandResults } from '../../../../src/kernel/rules/commands.ts';
import { sum } from '../../../../src/kernel/rules/figures.ts';
import type { ReservationId } from '../../../../src/kernel/rules/ids.ts';
import { type Minor, NO_MONEY } from '../../../../src/kernel/rules/money.ts';
import { departureOf, nightsOfStay } from '../../../../src/kernel/rules/stay-days.ts';
import type { RefundBody, WaiveBody } from '../../../../src/money/contracts/payments.ts';
import { isChargeback } from '../../../../src/money/rules/charges.ts';
import { folioTaxLines, folioTotals, originalTotal, paymentStatus } from '../../../../src/money/rules/folio.ts';
import type { Night } from '../../../../src/money/rules/night.ts';
import { shownCard, type Payment } from '../../../../src/money/rules/payment.ts';
import { partsOfNight } from '../../../../src/money/rules/surcharge.ts';
import { linesOfNight, namedLines } from '../../../../src/money/rules/taxes.ts';
import type { Policies, Property } from '../../../../src/properties/rules/property.ts';
import type { Tax } from '../../../../src/properties/rules/tax.ts';
import { unmetText } from '../../../../src/rooms/rules/unmet-wishes.ts';
import type * as answers from '../../../../src/stay/contracts/stay-answers.ts';
import type { walkAnswer } from '../../../../src/stay/contracts/walk.ts';
import { bookingTermsOf } from '../../../../src/stay/rules/booking-terms.ts';
import { compedDays } from '../../../../src/stay/rules/comp.ts';
import { guaranteeOf, instalmentsOf } from '../../../../src/stay/rules/guarantee.ts';
import type { Cancellation, Reservation } from '../../../../src/stay/rules/reservation.ts';
import { may } from '../../../auth/permissions.ts';
import type { AnswerOf } from '../../../http/answers.ts';
import { contactFor, mask, maskName } from '../../../http/masks.ts';

/** Until a room is assigned (docs/reference/reservations.md#book). */
export const NO_ROOM_YET = 'TBA';

/** Answer to a create. */
export function createdReservation(reservation: Reservation): AnswerOf<typeof answers.createdAnswer> {
  const { guest, status, confirmationNumber } = reservation;
  const { guestId, firstName, lastName, email } = guest;
  return {
    reservationId: reservation.id,
    confirmationNumber,
    status,
    guestInfo: { guestId, firstName, lastName, email },
    stayDetails: stayOf(reservation),
    financial: { ...financialOf(reservation), paymentDetails: reservation.payments.map(paymentOf) },
    timeline: reservation.timeline.map(({ event, timestamp, status: then }) => ({
      event,
      timestamp,
      status: then,
    })),
    ...(reservation.holdExpiresAt !== undefined && { holdExpiresAt: reservation.holdExpiresAt }),
    createdAt: reservation.createdAt,
  };
}

/** Reservations that were booked together. */
export function createdBooking(reservations: readonly Reservation[]): AnswerOf<typeof answers.bookingAnswer> {
  return { ...bookingOf(reservations), reservations: reservations.map(createdReservation) };
}

/** The same as they are now; contact data is masked for a VIEWER. */
export function bookingNow(
  reservations: readonly Reservation[],
  caller: Caller,
  tierOf: (reservation: Reservation) => LoyaltyTier,
): AnswerOf<typeof answers.bookingNowAnswer> {
  const shown = reservations.map((one) => renderListedReservation(one, caller, tierOf(one)));
  return { ...bookingOf(reservations), reservations: shown };
}

function bookingOf(
  reservations: readonly Reservation[],
): Omit<AnswerOf<typeof answers.bookingAnswer>, 'reservations'> {
  const [{ bookingId, propertyId, currency }] = reservations as [Reservation];
  const totalAmount: Minor = sum(reservations, (one) => folioTotals(one).total);
  const paidAmount: Minor = sum(reservations, ({ paid }) => paid);
  return {
    bookingId: bookingId!,
    propertyId,
    totalAmount,
    paidAmount,
    currency,
  };
}

/** A whole reservation; contact data is masked for a VIEWER (docs/concepts/guests-and-erasure.md#masking). */
export function wholeReservation(
  reservation: Reservation,
  property: Property,
  caller: Pick<Caller, 'role'>,
  tier: LoyaltyTier,
): AnswerOf<typeof answers.reservationAnswer> {
  const { name, address, contact, metadata } = property;
  const { billing, cancellation } = reservation;
  return {
    ...listed(reservation, caller, tier),
    propertyInfo: {
      propertyId: property.propertyId,
      propertyName: name,
      address: address ?? null,
      contact: contact ?? null,
    },
    financial: {
      ...financialOf(reservation),
      taxLines: namedLines(folioTaxLines(reservation), metadata.policies.taxes),
      breakdown: reservation.nights.map((night) => shownNight(night, metadata.policies.taxes)),
      ...(reservation.retained !== undefined && { retained: reservation.retained }),
      paymentDetails: reservation.payments.map(paymentOf),
    },
    paymentDetails: billing
      ? {
          method: billing.method ?? null,
          billingAddress: billingAddressOf(reservation, caller),
          ...(billing.card !== undefined && { cardOnFile: true as const }),
        }
      : null,
    terms: termsAnswer(reservation, metadata.policies),
    ...guaranteeAnswer(reservation, metadata.policies),
    ...(reservation.bookedRoomType !== undefined && { bookedRoomType: reservation.bookedRoomType }),
    ...compOf(reservation),
    amenities: metadata.amenities,
    timeline: reservation.timeline.map(timelineOf),
    cancellation: cancellation ? cancellationOf(reservation) : null,
    ...(cancellation?.walk && { walk: walkOf(cancellation) }),
  };
}

function termsAnswer(reservation: Reservation, policies: Policies): ReservationAnswer['terms'] {
  const { ofPlan = reservation.cancellationPolicy, ...terms } = bookingTermsOf(reservation, policies);
  return { policyName: ofPlan, ...terms };
}

function compOf(reservation: Reservation): Pick<ReservationAnswer, 'comp'> {
  if (!reservation.comp) return {};
  const { reason = null, by: compedBy, at: compedAt } = reservation.comp;
  return { comp: { nights: compedDays(reservation), reason, compedBy, compedAt } };
}

type ReservationAnswer = AnswerOf<typeof answers.reservationAnswer>;

function guaranteeAnswer(
  reservation: Reservation,
  policies: Policies,
): Pick<ReservationAnswer, 'guarantee' | 'depositSchedule' | 'releaseHour' | 'companyId'> {
  const guarantee = guaranteeOf(reservation, policies);
  const { total } = folioTotals(reservation);
  return {
    guarantee: guarantee.kind,
    depositSchedule: guarantee.kind === 'PREPAY' ? instalmentsOf({ ...reservation, guarantee }, total) : null,
    releaseHour: guarantee.kind === 'NONE' ? guarantee.releaseHour : null,
    companyId: reservation.companyId ?? null,
  };
}

/** A reservation in a list: its last timeline entry and how many there are (docs/reference/reservations.md#search). */
export function renderListedReservation(
  reservation: Reservation,
  caller: Caller,
  tier: LoyaltyTier,
): AnswerOf<typeof answers.reservationInList> {
  return {
    ...listed(reservation, caller, tier),
    financial: { ...financialOf(reservation), paymentDetails: reservation.payments.map(paymentOf) },
    timeline: reservation.timeline.slice(-1).map(timelineOf),
    timelineCount: reservation.timeline.length,
  };
}

function listed(
  reservation: Reservation,
  caller: Pick<Caller, 'role'>,
  tier: LoyaltyTier,
): Omit<AnswerOf<typeof answers.listedReservation>, 'financial' | 'timeline'> {
  return {
    reservationId: reservation.id,
    confirmationNumber: reservation.confirmationNumber,
    status: reservation.status,
    propertyId: reservation.propertyId,
    guestInfo: guestOf(reservation.guest, caller, tier),
    stayDetails: stayOf(reservation),
    specialRequests: reservation.specialRequests,
    companions: (reservation.companions ?? []).map(({ age = null, ...who }) => ({ ...who, age })),
    sharer: sharerOf(reservation, caller),
    roomWishes: (reservation.roomWishes ?? []).map(({ required = false, ...wish }) => ({ ...wish, required })),
    unmetWishes: unmetWishesOf(reservation),
    promoCode: reservation.promoCode ?? null,
    groupId: reservation.groupId ?? null,
    bookingId: reservation.bookingId ?? null,
    source: wireSource(reservation.source),
    ...(reservation.holdExpiresAt !== undefined && { holdExpiresAt: reservation.holdExpiresAt }),
    createdAt: reservation.createdAt,
    updatedAt: reservation.updatedAt,
  };
}

/** What the channel's messages are recognized by is for nobody. */
function wireSource({ message: _message, ...source }: Reservation['source']): Omit<Reservation['source'], 'message'> {
  return source;
}

/** A guest with the loyalty tier (docs/reference/guests.md#loyalty); contact data is masked for a VIEWER. */
export function guestOf(guest: Guest, caller: Pick<Caller, 'role'>, tier: LoyaltyTier): AnswerOf<typeof guestInfo> {
  const { guestId, firstName, lastName, email, phone, language, preferences } = guest;
  const shown = contactFor(caller);
  return {
    guestId,
    firstName,
    lastName,
    email: shown(email),
    phone: phone === undefined ? null : shown(phone),
    language,
    preferences,
    loyaltyMember: tier !== 'NONE',
    loyaltyTier: tier,
  };
}

/** The second guest of a room; contact data is masked for a VIEWER. */
export function sharerOf(
  { sharer }: Reservation,
  caller: Pick<Caller, 'role'>,
): AnswerOf<typeof answers.sharerField> | null {
  if (!sharer) return null;
  const { guestId, firstName, lastName, email, phone } = sharer;
  const shown = contactFor(caller);
  return { guestId, firstName, lastName, email: shown(email), phone: phone === undefined ? null : shown(phone) };
}

type Billed = NonNullable<NonNullable<Reservation['billing']>['address']>;

/** Billing: who pays, with the address; a VIEWER sees only the country. */
export function billingAddressOf(
  { billing }: Pick<Reservation, 'billing'>,
  caller: Pick<Caller, 'role'>,
): Billed | null {
  const { address } = billing ?? {};
  if (!address || may(caller, 'contact.read')) return address ?? null;
  const { name, country, ...where } = address;
  return {
    ...(name !== undefined && { name: maskName(name) }),
    ...Object.fromEntries(Object.entries(where).map(([field, text]) => [field, mask(text)])),
    ...(country !== undefined && { country }),
  };
}

function stayOf({
  stay,
  roomNumber,
  assignedAt,
}: Reservation): AnswerOf<typeof answers.createdAnswer>['stayDetails'] {
  return {
    ...stay,
    checkOut: departureOf(stay),
    nights: nightsOfStay(stay),
    roomNumber: roomNumber ?? NO_ROOM_YET,
    assignedAt: assignedAt ?? null,
  };
}

function financialOf(reservation: Reservation): Omit<AnswerOf<typeof answers.financial>, 'paymentDetails'> {
  const { base, taxes, fees, total } = folioTotals(reservation);
  const original = originalTotal(reservation);
  const balanceDue: Minor = total - reservation.paid;
  return {
    totalAmount: total,
    ...(original !== undefined && { originalTotal: original }),
    baseAmount: base,
    taxes,
    fees,
    paidAmount: reservation.paid,
    balanceDue,
    currency: reservation.currency,
    paymentStatus: paymentStatus(reservation),
  };
}

/** Wishes that the room does not meet, with a sentence each for people. */
export function unmetWishesOf({
  unmetWishes = [],
  roomFixed,
}: Reservation): AnswerOf<typeof answers.listedReservation>['unmetWishes'] {
  return unmetWishes.map((wish) => ({ ...wish, text: unmetText(wish, roomFixed === true) }));
}

/** Amounts of a reservation: cost, payments, balance, and changes of its price. */
export function shortFinancial(reservation: Reservation): AnswerOf<typeof answers.paymentAnswer>['financial'] {
  const { totalAmount, paidAmount, balanceDue, currency, paymentStatus: paid } = financialOf(reservation);
  return { totalAmount, paidAmount, balanceDue, currency, paymentStatus: paid };
}

export function paymentOf(payment: Payment): AnswerOf<typeof answers.payment> {
  const { paymentId, amount, method, status, type, processedAt, paidOut, gateway, regains } = payment;
  const { tendered, terminal } = payment;
  const plain = { paymentId, amount, method, status, type, processedAt: processedAt ?? null };
  return {
    ...plain,
    ...(paidOut && { paidBy: paidOut.by, reference: paidOut.reference ?? null }),
    ...(gateway && { gatewayName: gateway.name }),
    ...shownCard(payment),
    ...(isChargeback(payment) && chargebackFields(payment)),
    ...(regains !== undefined && { kind: 'CHARGEBACK_WON' as const, chargedBackPaymentId: regains }),
    ...(tendered && { tendered }),
    ...(terminal && { terminal }),
  };
}

/** After an erasure, a repeat of the request has no free text. */
function chargebackFields({ chargeId, chargeback }: Payment): Partial<AnswerOf<typeof answers.payment>> {
  const { reference = null, closed } = chargeback!;
  const which = { kind: 'CHARGEBACK' as const, ...(chargeId !== undefined && { chargedBackPaymentId: chargeId }) };
  return { ...which, reference, closed: closed !== undefined };
}

export function timelineOf({
  event,
  timestamp,
  status,
  notes,
}: Reservation['timeline'][0]): AnswerOf<typeof answers.timelineEntry> {
  return { event, timestamp, status, notes: notes ?? null };
}

/** Answer to a payment. */
export function paymentTaken({
  reservation,
  payment,
}: CommandResults['END_PAYMENT']): AnswerOf<typeof answers.paymentAnswer> {
  return {
    ...paymentOf(payment),
    reservationId: reservation.id,
    reservationStatus: reservation.status,
    financial: shortFinancial(reservation),
  };
}

/** Answer to a refund (`POST /reservations/{id}/refunds`). */
export function refundGiven(
  { reservation, refunds, credit }: CommandResults['GIVE_REFUND'],
  { amount, reason }: RefundBody,
): AnswerOf<typeof answers.refundAnswer> {
  return {
    refundId: refunds[0]!.paymentId,
    reservationId: reservation.id,
    amount,
    currency: reservation.currency,
    reason,
    credit,
    refunds: refunds.map((refund) => ({ ...paymentOf(refund), ...shownCard(chargeOf(reservation, refund)) })),
    reservationStatus: reservation.status,
    financial: shortFinancial(reservation),
  };
}

/** The charge that a refund gives back. */
const chargeOf = ({ payments }: Reservation, { chargeId }: Payment): Pick<Payment, 'gateway'> =>
  payments.find(({ paymentId }) => paymentId === chargeId) ?? {};

/** Answer to a cancel (docs/reference/reservations.md#cancel). */
export function cancellationOf({
  id,
  status,
  cancellation,
}: Reservation): AnswerOf<typeof answers.cancellationAnswer> {
  const { cancellationId, policyName, deadline, penalty, refundEligible, refund, refundId, cancelledAt } =
    cancellation!;
  const owed = cancellation!.owed?.amount ?? NO_MONEY;
  const penaltyAmount: Minor = penalty + owed;
  return {
    cancellationId,
    reservationId: id,
    status,
    cancellationPolicy: {
      policyName,
      deadlineDate: deadline ?? null,
      penaltyAmount,
      ...(owed > 0 && { owedByCard: owed }),
      refundEligible,
    },
    refund: {
      refundAmount: refund,
      refundMethod: refund > 0 ? 'ORIGINAL_PAYMENT_METHOD' : 'NONE',
      processingTime: refund > 0 ? '3-5 business days' : 'none',
      refundId: refundId ?? null,
    },
    cancelledAt,
  };
}

function walkOf({ walk, description, cancelledBy, cancelledAt }: Cancellation): AnswerOf<typeof answers.walkField> {
  const { to = null, compensation } = walk!;
  return { to, compensation, reason: description ?? null, by: cancelledBy, at: cancelledAt };
}

/** Answer to a walk: its cancellation, and where the guest is sent. */
export function guestWalked(reservation: Reservation): AnswerOf<typeof walkAnswer> {
  return { ...cancellationOf(reservation), walk: walkOf(reservation.cancellation!) };
}

/** Answer to a waived penalty: the cancellation as it is now. */
export function penaltyWaived(
  { reservation, waived, refundId }: CommandResults['WAIVE_PENALTY'],
  { reason }: WaiveBody,
): AnswerOf<typeof answers.waiverAnswer> {
  return { ...cancellationOf(reservation), waived: { amount: waived, refundId: refundId ?? null, reason } };
}

/** Answer to a change (docs/reference/reservations.md#change). */
export function modification({
  reservation,
  previous,
  modificationId,
  changes,
  additional,
  dueDate,
  refund,
  modifiedAt,
}: CommandResults['MODIFY']): AnswerOf<typeof answers.modificationAnswer> {
  const shown = Object.entries(changes).map(([name, { from, to }]) => [name, { from: from ?? null, to: to ?? null }]);
  return {
    modificationId,
    reservationId: reservation.id,
    status: reservation.status,
    changes: Object.fromEntries(shown),
    additionalPayment: {
      amount: additional,
      paymentRequired: additional > 0,
      dueDate: dueDate ?? null,
    },
    refund: { refundAmount: refund, refundMethod: refund > 0 ? 'ORIGINAL_PAYMENT_METHOD' : 'NONE' },
    ...(previous && { breakdown: breakdownOf(reservation, previous) }),
    modifiedAt,
  };
}

function breakdownOf(
  { nights }: Reservation,
  previous: Reservation['nights'],
): NonNullable<AnswerOf<typeof answers.modificationAnswer>['breakdown']> {
  const rates = new Map(previous.map((night) => [night.day, partsOfNight(night).room.rate]));
  return nights.map((night) => ({ ...shownNight(night), previousRate: rates.get(night.day) ?? null }));
}

/** A night with its taxes by their codes; with their names where the taxes of the property are given. */
function shownNight(
  night: Night,
  taxes?: readonly Tax[],
): AnswerOf<typeof answers.reservationAnswer>['financial']['breakdown'][0] {
  const { room, surcharge } = partsOfNight(night);
  return {
    date: night.day,
    roomRate: room.rate,
    ...(surcharge && { surcharge: surcharge.rate }),
    ...(night.comped && { compedRate: night.comped.rate }),
    taxes: night.taxes,
    taxLines: namedLines(linesOfNight(night), taxes),
  };
}

/** Rows of a list that cannot be read. */
export function leftOutOf(
  unreadable: readonly ReservationId[],
): { reservationId: ReservationId; reason: 'UNREADABLE' }[] {
  return unreadable.map((reservationId) => ({ reservationId, reason: 'UNREADABLE' }));
}
