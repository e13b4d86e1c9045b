import { PLACE, type ActorTable } from './table.ts';

/** Journal position of each change of base rates. */
export const RATE_CHANGES_TABLE = {
  name: 'rate_changes',
  key: ['t', 'id'],
  columns: { ...PLACE, id: 'uuid', seq: 'bigint', at: 'timestamptz(3)' },
} as const satisfies ActorTable;

export const SIGNALS_TABLE = {
  name: 'rate_signals',
  key: ['t', 'p', 'roomType', 'day'],
  columns: {
    ...PLACE,
    roomType: 'varchar(50)',
    day: 'date',
    demand: 'smallint',
    market: 'numeric(10, 2)?',
    bid: 'numeric(10, 2)?',
    bidPerRoom: 'numeric(10, 2)?',
    bidRooms: 'smallint?',
    liveFactors: 'smallint[]?',
    liveRooms: 'smallint?',
    liveStep: 'smallint?',
    liveStart: 'smallint?',
    liveOn: 'date?',
    at: 'timestamptz(3)',
  },
  names: { day: 'date', demand: 'demand_percent', market: 'market_rate', bid: 'bid_price', at: 'updated_at' },
} as const satisfies ActorTable;

export const RESTRICTIONS_TABLE = {
  name: 'rate_restrictions',
  key: ['t', 'p', 'rateCode', 'roomType', 'day'],
  columns: {
    ...PLACE,
    rateCode: 'varchar(50)',
    roomType: 'varchar(50)',
    day: 'date',
    minStayArrival: 'int?',
    maxStayArrival: 'int?',
    minStayThrough: 'int?',
    maxStayThrough: 'int?',
    minAdvance: 'int?',
    maxAdvance: 'int?',
    closedToArrival: 'boolean',
    closedToDeparture: 'boolean',
    stopSell: 'boolean',
    rateLocked: 'boolean',
    at: 'timestamptz(3)',
  },
  names: { day: 'date', at: 'updated_at' },
} as const satisfies ActorTable;

/** Percent and nights of a discount are stored as they are, an amount as a decimal. */
export const PROMOTIONS_TABLE = {
  name: 'promotions',
  key: ['t', 'id'],
  columns: {
    ...PLACE,
    id: 'uuid',
    name: 'varchar(100) once',
    description: 'text? once',
    promoCode: 'varchar(20) once',
    discountType: 'varchar(20) once',
    discountValue: 'numeric(10, 2) once',
    startDate: 'date once',
    endDate: 'date once',
    stayStartDate: 'date? once',
    stayEndDate: 'date? once',
    roomTypes: 'jsonb? once',
    conditions: 'jsonb once',
    inventoryLimit: 'int? once',
    maxPerDay: 'int? once',
    used: 'int',
    status: 'varchar(20)',
    paused: 'boolean',
    createdAt: 'timestamptz(3) once',
    at: 'timestamptz(3)',
  },
  names: { name: 'promotion_name', used: 'used_inventory', at: 'updated_at' },
  others: ['deleted_at'],
} as const satisfies ActorTable;

export const PROMOTION_NIGHTS_TABLE = {
  name: 'promotion_nights',
  key: ['t', 'promotionId', 'day'],
  columns: { t: 'text', promotionId: 'uuid', day: 'date', used: 'int' },
  names: { day: 'date' },
} as const satisfies ActorTable;

export const CALENDAR_EVENTS_TABLE = {
  name: 'calendar_events',
  key: ['t', 'eventId'],
  columns: {
    ...PLACE,
    eventId: 'uuid',
    name: 'varchar(100)',
    firstNight: 'date',
    lastNight: 'date',
    effect: 'event_effect',
    note: 'varchar(500)?',
    createdAt: 'timestamptz(3) once',
    updatedAt: 'timestamptz(3)',
  },
  names: { eventId: 'id' },
} as const satisfies ActorTable;

export const GROUPS_TABLE = {
  name: 'reservation_groups',
  key: ['t', 'groupId'],
  columns: {
    ...PLACE,
    groupId: 'uuid',
    name: 'varchar(100)',
    cutoff: 'date',
    released: 'boolean',
    agreed: 'jsonb?',
    shoulderNights: 'jsonb?',
    contact: 'jsonb?',
    deletedAt: 'timestamptz(3)?',
    createdAt: 'timestamptz(3) once',
    at: 'timestamptz(3)',
  },
  names: { groupId: 'id', cutoff: 'cutoff_date', at: 'updated_at' },
} as const satisfies ActorTable;

export const GROUP_BLOCKS_TABLE = {
  name: 'group_blocks',
  key: ['t', 'groupId', 'day', 'roomType'],
  columns: {
    t: 'text',
    groupId: 'uuid',
    roomType: 'varchar(50)',
    day: 'date',
    rooms: 'int',
    rate: 'numeric(10, 2)',
    pickedUp: 'int',
    isShoulder: 'boolean?',
  },
  names: { day: 'date' },
} as const satisfies ActorTable;
