import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

import type { Sharer } from '../../../guests/rules/guest.ts';
import { type GatewayAnswer, PAYMENT_METHODS, type Payment } from '../../../money/rules/payment.ts';
import type { RoomWish } from '../../../rooms/rules/room-wishes.ts';
import { RESERVATION_STATUSES, type Reservation } from '../../../stay/rules/reservation.ts';
import type { PackedNight } from '../../../stay/storage/packed-night.ts';

/** Fields without a column of their own, in the form of the domain. */
type ReservationDetails = Pick<
  Reservation,
  | 'source'
  | 'specialRequests'
  | 'billing'
  | 'timeline'
  | 'cancellation'
  | 'checkIn'
  | 'checkOut'
  | 'leaving'
  | 'charges'
  | 'routing'
  | 'paymentWindows'
  | 'givenBack'
  | 'roomFixed'
  | 'bookedRoomType'
  | 'terms'
  | 'guarantee'
  | 'companyId'
  | 'retained'
  | 'deferred'
  | 'basis'
  | 'taxedBy'
  | 'endsTakenBack'
  | 'unclaimed'
  | 'posted'
  | 'comp'
  | 'companions'
  | 'unmetWishes'
> & { guest: Omit<Reservation['guest'], 'guestId'>; nights: PackedNight[] };

/** Without `email_key` and `status_key`, which are only filtered by. */
export const ReservationEntity = defineEntity({
  name: 'Reservation',
  tableName: 'reservations',
  properties: {
    tenant_id: p.text().primary(),
    id: p.uuid().primary(),
    property_id: p.string().length(50),
    confirmation_number: p.string().length(20),
    guest_id: p.uuid().nullable(),
    status: p.enum(RESERVATION_STATUSES),
    check_in: p.date(),
    check_out: p.date(),
    day_use: p.boolean().nullable(),
    nights: p.integer(),
    adults: p.integer(),
    children: p.integer(),
    child_ages: p.array((text) => Number(text)).nullable(),
    room_type: p.string().length(50).nullable(),
    room_number: p.string().length(10).nullable(),
    rate_code: p.string().length(50).nullable(),
    total_amount: p.decimal().precision(10).scale(2),
    base_amount: p.decimal().precision(10).scale(2),
    taxes: p.decimal().precision(10).scale(2),
    fees: p.decimal().precision(10).scale(2),
    currency: p.character().length(3),
    source: p.string().length(50).nullable(),
    paid_amount: p.decimal().precision(10).scale(2),
    balance_due: p.decimal().precision(10).scale(2),
    checked_in_at: p.datetime(3).nullable(),
    assigned_room: p.string().length(10).nullable(),
    assigned_at: p.datetime(3).nullable(),
    cancellation_policy: p.string().length(50).nullable(),
    hold_expires_at: p.datetime(3).nullable(),
    quote_id: p.text().nullable(),
    promo_code: p.string().length(20).nullable(),
    group_id: p.uuid().nullable(),
    booking_id: p.uuid().nullable(),
    external_id: p.string().length(100).nullable(),
    special_requests: p.json<string[]>(),
    room_wishes: p.json<RoomWish[]>().nullable(),
    sharer_id: p.uuid().nullable(),
    sharer: p.json<Omit<Sharer, 'guestId'>>().nullable(),
    details: p.json<ReservationDetails>(),
    version: p.integer(),
    created_at: p.datetime(3),
    updated_at: p.datetime(3),
    deleted_at: p.datetime(3).nullable(),
  },
});

/** Of a payment what most have not. */
type PaymentDetails = Pick<Payment, 'chargeback' | 'tendered' | 'terminal' | 'regains' | 'partOf' | 'isInstalment'>;

export const PaymentEntity = defineEntity({
  name: 'Payment',
  tableName: 'payments',
  properties: {
    tenant_id: p.text().primary(),
    id: p.uuid().primary(),
    property_id: p.string().length(50),
    reservation_id: p.uuid(),
    amount: p.decimal().precision(10).scale(2),
    currency: p.character().length(3),
    method: p.enum(PAYMENT_METHODS).nullable(),
    status: p.enum(['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED', 'REFUNDED']),
    transaction_id: p.string().length(100).nullable(),
    transaction_type: p.enum(['CHARGE', 'REFUND', 'VOID']),
    gateway_name: p.string().length(100).nullable(),
    gateway_response: p.json<GatewayAnswer>().nullable(),
    processed_at: p.datetime(3).nullable(),
    created_at: p.datetime(3),
    charge_id: p.uuid().nullable(),
    paid_out_by: p.string().length(100).nullable(),
    paid_out_reference: p.string().length(100).nullable(),
    details: p.json<PaymentDetails>().nullable(),
  },
});

export type ReservationRow = InferEntity<typeof ReservationEntity>;
export type PaymentRow = InferEntity<typeof PaymentEntity>;
