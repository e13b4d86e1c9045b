import { CREATED, PLACE, type ActorTable } from './table.ts';

/** Inventory by night: a cell is a room type and a night. */
export const CELLS_TABLE = {
  name: 'availability.room_availability',
  key: ['t', 'p', 'roomType', 'day'],
  columns: {
    ...PLACE,
    roomType: 'varchar(50)',
    day: 'date',
    total: 'int',
    available: 'int',
    booked: 'int',
    held: 'int',
    groupBlocked: 'int',
    outOfOrder: 'int',
    externalBlocked: 'int',
    overbookingLimit: 'int?',
    shortfall: 'int',
    toldAt: 'bigint?',
    toldSeq: 'bigint?',
    at: 'timestamptz(3)',
  },
  names: {
    day: 'date',
    total: 'total_rooms',
    available: 'available_rooms',
    booked: 'booked_rooms',
    held: 'held_rooms',
    at: 'updated_at',
  },
  computed: {
    blocked_rooms: ['int', 'r."groupBlocked" + r."outOfOrder" + r."externalBlocked"'],
    status: [
      'availability_status',
      `(case when r.available = 0 then 'SOLD_OUT' when r.available * 10 <= r.total then 'LIMITED' else 'OPEN'
        end)::availability_status`,
    ],
  },
} as const satisfies ActorTable;

/** The on-the-books ledger, over all room types. Revenue is in minor units. */
export const BOOKS_TABLE = {
  name: 'night_books',
  key: ['t', 'p', 'day'],
  columns: { ...PLACE, day: 'date', revenue: 'bigint', movedOn: 'date', pickup: 'int', cancelled: 'int' },
  names: { day: 'date' },
} as const satisfies ActorTable;

/** Loaded by columns (`property-load.ts`). */
export const BASE_RATES_TABLE = {
  name: 'base_rates',
  key: ['t', 'p', 'roomType', 'day'],
  columns: {
    ...PLACE,
    roomType: 'varchar(50)',
    day: 'date',
    rate: 'numeric(10, 2)',
    currency: 'char(3)',
    multiplier: 'numeric(4, 2)',
    amount: 'numeric(10, 2)',
    at: 'timestamptz(3)',
  },
  names: { day: 'rate_date', multiplier: 'seasonal_multiplier', amount: 'seasonal_amount', at: 'updated_at' },
  computed: {
    day_of_week: ['int? once', 'extract(dow from r.day)'],
    weekend: ['boolean once', 'extract(dow from r.day) in (5, 6)'],
    ...CREATED,
  },
} as const satisfies ActorTable;
