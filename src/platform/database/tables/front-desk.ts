import { CREATED, PLACE, type ActorTable } from './table.ts';

/** Which stay has which room. */
export const ROOM_STAYS_TABLE = {
  name: 'room_assignments',
  key: ['t', 'reservationId'],
  columns: {
    ...PLACE,
    reservationId: 'uuid',
    roomNumber: 'varchar(10)',
    roomType: 'varchar(50)',
    checkIn: 'date',
    checkOut: 'date',
    inHouse: 'boolean',
    fixed: 'boolean',
  },
} as const satisfies ActorTable;

export const HOUSEKEEPING_TABLE = {
  name: 'housekeeping_tasks',
  key: ['t', 'id'],
  columns: { ...PLACE, roomNumber: 'varchar(10)', notes: 'text?', at: 'timestamptz(3)' },
  names: { at: 'updated_at' },
  computed: CREATED,
  others: [
    'id',
    'task_type',
    'status',
    'priority',
    'assigned_to',
    'reservation_id',
    'due_at',
    'started_at',
    'completed_at',
    'deleted_at',
  ],
} as const satisfies ActorTable;

/** Money that goes back later changes what is paid; what is credited or waived then changes the amounts. */
export const INVOICES_TABLE = {
  name: 'invoices',
  key: ['t', 'id'],
  columns: {
    ...PLACE,
    id: 'uuid',
    reservationId: 'uuid? once',
    number: 'varchar(50) once',
    currency: 'char(3) once',
    subtotal: 'numeric(12, 2)',
    taxes: 'numeric(12, 2)',
    fees: 'numeric(12, 2)',
    total: 'numeric(12, 2)',
    paid: 'numeric(12, 2)',
    issuedAt: 'timestamptz(3)? once',
    at: 'timestamptz(3)',
  },
  names: { number: 'invoice_number', total: 'total_amount', paid: 'paid_amount', at: 'updated_at' },
  computed: CREATED,
  others: ['status', 'billing', 'notes', 'due_date', 'deleted_at'],
} as const satisfies ActorTable;

export const INVOICE_ITEMS_TABLE = {
  name: 'invoice_items',
  key: ['t', 'id'],
  columns: {
    t: 'text',
    invoiceId: 'uuid',
    day: 'date',
    description: 'varchar(500)',
    amount: 'numeric(12, 2)',
    taxes: 'numeric(12, 2)',
    at: 'timestamptz(3)',
  },
  names: { day: 'item_date', at: 'created_at' },
  computed: { unit_price: ['numeric(10, 2)', 'r.amount'] },
  others: ['id', 'service_id', 'quantity'],
} as const satisfies ActorTable;
