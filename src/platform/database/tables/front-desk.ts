import { PLACE, type ActorTable } from './table.ts';

/** Rooms of stays. */
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

export const MAINTENANCES_TABLE = {
  name: 'maintenances',
  key: ['t', 'maintenanceId'],
  columns: {
    ...PLACE,
    maintenanceId: 'uuid',
    roomNumber: 'varchar(10)',
    kind: 'maintenance_kind',
    firstNight: 'date',
    lastNight: 'date?',
    reason: 'varchar(500)',
    createdAt: 'timestamptz(3) once',
    updatedAt: 'timestamptz(3)',
  },
  names: { maintenanceId: 'id' },
  others: ['deleted_at'],
} as const satisfies ActorTable;

export const WAITLIST_TABLE = {
  name: 'waitlist',
  key: ['t', 'waitlistId'],
  columns: {
    ...PLACE,
    waitlistId: 'uuid',
    number: 'int once',
    status: 'waitlist_status',
    roomType: 'varchar(50) once',
    checkIn: 'date once',
    checkOut: 'date once',
    details: 'json',
    createdAt: 'timestamptz(3) once',
    updatedAt: 'timestamptz(3)',
  },
  names: { waitlistId: 'id' },
} as const satisfies ActorTable;

export const INQUIRIES_TABLE = {
  name: 'inquiries',
  key: ['t', 'inquiryId'],
  columns: {
    ...PLACE,
    inquiryId: 'uuid',
    status: 'inquiry_status',
    roomType: 'varchar(50) once',
    checkIn: 'date once',
    checkOut: 'date once',
    total: 'numeric(10, 2) once',
    expiresAt: 'timestamptz(3) once',
    details: 'json',
    createdAt: 'timestamptz(3) once',
    updatedAt: 'timestamptz(3)',
  },
  names: { inquiryId: 'id', total: 'total_amount' },
} as const satisfies ActorTable;

export const EXTRA_STAYS_TABLE = {
  name: 'extra_stays',
  key: ['t', 'postingId'],
  columns: {
    ...PLACE,
    postingId: 'uuid',
    reservationId: 'uuid once',
    code: 'varchar(50) once',
    quantity: 'int once',
    firstNight: 'date',
    lastNight: 'date',
  },
} as const satisfies ActorTable;

/** Release 0.1.0 inserts rows and completes them by its own commit function, without these ids. */
export const HOUSEKEEPING_TABLE = {
  name: 'housekeeping_tasks',
  key: ['t', 'taskId'],
  columns: {
    ...PLACE,
    taskId: 'uuid',
    roomNumber: 'varchar(10) once',
    taskType: 'varchar(30) once',
    status: 'varchar(20)',
    attendant: 'varchar(100)?',
    notes: 'text?',
    createdAt: 'timestamptz(3) once',
    startedAt: 'timestamptz(3)?',
    completedAt: 'timestamptz(3)?',
    completedOn: 'date?',
    inspectedAt: 'timestamptz(3)?',
    minutes: 'int?',
    isOpen: 'boolean',
    at: 'timestamptz(3)',
  },
  names: { taskId: 'id', attendant: 'assigned_to', at: 'updated_at' },
  others: ['priority', 'reservation_id', 'due_at', 'deleted_at'],
} as const satisfies ActorTable;

/** Invoices and credit notes: rows are inserted and never changed. */
export const INVOICE_DOCUMENTS_TABLE = {
  name: 'invoice_documents',
  key: ['t', 'p', 'number'],
  columns: {
    ...PLACE,
    number: 'varchar(50)',
    kind: 'varchar(20)',
    year: 'int?',
    serial: 'int?',
    reservationId: 'uuid',
    confirmationNumber: 'varchar(20)',
    corrects: 'varchar(50)?',
    issuedAt: 'timestamptz(3)',
    issuedBy: 'json',
    issuedTo: 'json',
    currency: 'char(3)',
    subtotal: 'numeric(12, 2)',
    taxes: 'numeric(12, 2)',
    fees: 'numeric(12, 2)',
    total: 'numeric(12, 2)',
    lines: 'json',
  },
} as const satisfies ActorTable;
