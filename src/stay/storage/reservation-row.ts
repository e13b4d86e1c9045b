import { dayOf } from '../../kernel/rules/dates.ts';
import type { AllMembers } from '../../kernel/rules/members.ts';
import type { Payment } from '../../money/rules/payment.ts';
import type { PaymentRow, ReservationRow } from '../../platform/database/entities/reservations.ts';
import { instantOf, minorOf, present } from '../../platform/database/row-values.ts';
import { type Stay, stayFrom, withKnownAges } from '../../rates/rules/stay.ts';
import type { ClaimedBy, Reservation } from '../rules/reservation.ts';
import { unpackNight } from './packed-night.ts';

function stayOf(row: ReservationRow): Stay {
  const stay = {
    roomType: row.room_type ?? '',
    checkIn: dayOf(row.check_in),
    checkOut: dayOf(row.check_out),
    dayUse: row.day_use ? true : undefined,
    adults: row.adults,
    children: row.children,
    childAges: present(row.child_ages),
    rateCode: row.rate_code ?? '',
  } satisfies AllMembers<Stay>;
  // A node of an earlier release changes the number of children alone.
  return withKnownAges(stayFrom(stay));
}

/**
 * Converts a row of `reservations` with its rows of `payments`, oldest first, without issued documents, which only its
 * property and its invoice need.
 */
export function toReservation(row: ReservationRow, payments: readonly PaymentRow[]): Reservation {
  const { details } = row;
  const claimed = (by: ClaimedBy, name: string | null): string | undefined =>
    details.unclaimed?.includes(by) ? undefined : present(name);
  return {
    id: row.id,
    propertyId: row.property_id,
    confirmationNumber: row.confirmation_number,
    status: row.status,
    guest: { guestId: row.guest_id ?? '', ...details.guest },
    stay: stayOf(row),
    nights: details.nights.map(unpackNight),
    currency: row.currency,
    cancellationPolicy: row.cancellation_policy ?? '',
    paid: minorOf(row.paid_amount),
    payments: payments.map(toPayment),
    roomNumber: present(row.room_number),
    assignedAt: instantOf(row.assigned_at),
    roomFixed: details.roomFixed,
    promoCode: claimed('promoCode', row.promo_code ?? null),
    groupId: claimed('groupId', row.group_id ?? null),
    bookingId: present(row.booking_id),
    checkIn: details.checkIn,
    checkOut: details.checkOut,
    leaving: details.leaving,
    charges: details.charges,
    routing: details.routing,
    paymentWindows: details.paymentWindows,
    givenBack: details.givenBack,
    bookedRoomType: details.bookedRoomType,
    comp: details.comp,
    companions: details.companions,
    sharer: row.sharer && row.sharer_id ? { guestId: row.sharer_id, ...row.sharer } : undefined,
    unmetWishes: details.unmetWishes,
    roomWishes: row.room_wishes && row.room_wishes.length > 0 ? row.room_wishes : undefined,
    terms: details.terms,
    guarantee: details.guarantee,
    companyId: details.companyId,
    retained: details.retained,
    deferred: details.deferred,
    basis: details.basis,
    taxedBy: details.taxedBy,
    endsTakenBack: details.endsTakenBack,
    unclaimed: details.unclaimed,
    posted: details.posted,
    quoteId: present(row.quote_id),
    source: details.source,
    specialRequests: row.special_requests,
    billing: details.billing,
    timeline: details.timeline,
    cancellation: details.cancellation,
    holdExpiresAt: instantOf(row.hold_expires_at),
    version: row.version,
    createdAt: row.created_at.getTime(),
    updatedAt: row.updated_at.getTime(),
  };
}

/** A row of `payments`; a void reverses a charge, which the domain calls a refund. */
function toPayment(row: PaymentRow): Payment {
  const by = present(row.paid_out_by);
  const reference = present(row.paid_out_reference);
  return {
    paymentId: row.id,
    type: row.transaction_type === 'CHARGE' ? 'CHARGE' : 'REFUND',
    amount: minorOf(row.amount),
    method: row.method ?? null,
    status: row.status,
    transactionId: present(row.transaction_id),
    chargeId: present(row.charge_id),
    ...(by !== undefined && { paidOut: { by, ...(reference !== undefined && { reference }) } }),
    ...row.details,
    ...gatewayOf(row),
    processedAt: instantOf(row.processed_at),
    createdAt: row.created_at.getTime(),
  };
}

/** Nothing of payments at the desk, and of those that releases before have recorded. */
function gatewayOf({ gateway_name: name, gateway_response: response }: PaymentRow): Pick<Payment, 'gateway'> {
  return name && response ? { gateway: { name, response } } : {};
}
