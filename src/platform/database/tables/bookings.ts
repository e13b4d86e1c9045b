import type { Stay } from '../../../rates/rules/stay.ts';
import { CREATED, PLACE, type ActorTable } from './table.ts';

/** Erasure clears personal columns and sets the others. */
export const GUESTS_TABLE = {
  name: 'guests',
  key: ['t', 'id'],
  columns: {
    t: 'text',
    id: 'uuid',
    email: 'varchar(254)?',
    emailKey: 'varchar(254)?',
    firstName: 'varchar(100)?',
    lastName: 'varchar(100)?',
    lastNameKey: 'varchar(100)?',
    phone: 'varchar(30)?',
    preferences: 'jsonb?',
    // The commit function of release 0.1.0 does not know it.
    language: 'varchar(2)?',
    at: 'timestamptz(3)',
  },
  names: { at: 'updated_at' },
  computed: CREATED,
  others: ['loyalty_tier', 'deleted_at', 'erased_at', 'merged_into', 'merged_at', 'consent', 'version'],
} as const satisfies ActorTable;

/** Read by `ReservationEntity`. */
export const RESERVATIONS_TABLE = {
  name: 'reservations',
  key: ['t', 'id'],
  columns: {
    ...PLACE,
    id: 'uuid',
    confirmationNumber: 'varchar(20) once',
    guestId: 'uuid? once',
    status: 'reservation_status',
    checkIn: 'date',
    checkOut: 'date',
    dayUse: 'boolean?',
    nights: 'int',
    adults: 'int',
    children: 'int',
    childAges: 'smallint[]?',
    roomType: 'varchar(50)?',
    roomNumber: 'varchar(10)?',
    rateCode: 'varchar(50)?',
    totalAmount: 'numeric(10, 2)',
    baseAmount: 'numeric(10, 2)',
    taxes: 'numeric(10, 2)',
    fees: 'numeric(10, 2)',
    currency: 'char(3) once',
    source: 'varchar(50)? once',
    paidAmount: 'numeric(10, 2)',
    balanceDue: 'numeric(10, 2)',
    checkedInAt: 'timestamptz(3)?',
    assignedRoom: 'varchar(10)?',
    assignedAt: 'timestamptz(3)?',
    cancellationPolicy: 'varchar(50)?',
    holdExpiresAt: 'timestamptz(3)?',
    quoteId: 'text? once',
    promoCode: 'varchar(20)? once',
    groupId: 'uuid? once',
    bookingId: 'uuid? once',
    externalId: 'varchar(100)? once',
    specialRequests: 'jsonb',
    roomWishes: 'jsonb? stays',
    // The commit function of release 0.1.0 has neither, and leaves them.
    sharerId: 'uuid?',
    sharer: 'jsonb?',
    details: 'json',
    version: 'int',
    createdAt: 'timestamptz(3) once',
    updatedAt: 'timestamptz(3)',
    emailKey: 'varchar(254)?',
    statusKey: 'smallint',
  },
  others: ['deleted_at'],
} as const satisfies ActorTable & { columns: Record<keyof Stay, string> };

export const HISTORY_TABLE = {
  name: 'reservation_status_history',
  key: ['t', 'reservationId', 'id'],
  columns: {
    t: 'text',
    reservationId: 'uuid',
    from: 'reservation_status?',
    to: 'reservation_status',
    at: 'timestamptz(3)',
    by: 'varchar(100)?',
    reason: 'text?',
    notes: 'text?',
  },
  names: { from: 'old_status', to: 'new_status', at: 'changed_at', by: 'changed_by' },
  others: ['id'],
} as const satisfies ActorTable;

/** Read by `PaymentEntity`. */
export const PAYMENTS_TABLE = {
  name: 'payments',
  key: ['t', 'paymentId'],
  columns: {
    ...PLACE,
    paymentId: 'uuid',
    reservationId: 'uuid once',
    amount: 'numeric(10, 2)',
    currency: 'char(3) once',
    method: 'payment_method?',
    status: 'payment_status',
    transactionId: 'varchar(100)?',
    type: 'transaction_type once',
    processedAt: 'timestamptz(3)?',
    createdAt: 'timestamptz(3) once',
    chargeId: 'uuid? once',
    paidOutBy: 'varchar(100)?',
    paidOutReference: 'varchar(100)?',
    details: 'jsonb? stays',
    gatewayName: 'varchar(100)? stays',
    gatewayResponse: 'jsonb? stays',
  },
  names: { paymentId: 'id', type: 'transaction_type' },
  // `account` is filled in by a trigger.
  others: ['account'],
} as const satisfies ActorTable;

export const HOLDS_TABLE = {
  name: 'holds',
  key: ['t', 'p', 'id'],
  columns: {
    ...PLACE,
    id: 'uuid',
    kind: 'hold_kind',
    roomType: 'varchar(50)',
    checkIn: 'date',
    checkOut: 'date',
    rooms: 'int',
    expiresAt: 'timestamptz(3)',
    reservationId: 'uuid? once',
    doc: 'json',
    createdAt: 'timestamptz(3) once',
  },
} as const satisfies ActorTable;
