import { COMES_BACK, CREATED, PLACE, type ActorTable } from './table.ts';

export const PROPERTIES_TABLE = {
  name: 'properties',
  key: ['t', 'p'],
  columns: {
    ...PLACE,
    name: 'varchar(200)',
    propertyCode: 'varchar(50)?',
    brand: 'varchar(100)?',
    propertyType: 'varchar(50)',
    metadata: 'jsonb',
    address: 'jsonb?',
    contact: 'jsonb?',
    createdAt: 'timestamptz(3) once',
    updatedAt: 'timestamptz(3)',
  },
  computed: COMES_BACK,
} as const satisfies ActorTable;

export const ROOM_TYPES_TABLE = {
  name: 'room_types',
  key: ['t', 'p', 'roomType'],
  columns: {
    ...PLACE,
    roomType: 'varchar(50)',
    name: 'varchar(100)',
    maxAdults: 'int',
    maxChildren: 'int',
    maxGuests: 'int',
    totalRooms: 'int',
    amenities: 'jsonb',
    rollingRates: 'jsonb?',
    at: 'timestamptz(3)',
  },
  names: { at: 'updated_at' },
  computed: { ...CREATED, ...COMES_BACK },
} as const satisfies ActorTable;

export const ROOMS_TABLE = {
  name: 'rooms',
  key: ['t', 'p', 'roomNumber'],
  columns: {
    ...PLACE,
    roomNumber: 'varchar(10)',
    roomType: 'varchar(50)',
    floor: 'int',
    status: 'room_status',
    features: 'jsonb',
    accessible: 'boolean? stays',
    connectsTo: 'jsonb? stays',
    notes: 'text?',
    reservationId: 'uuid?',
    updatedAt: 'timestamptz(3)',
  },
  computed: COMES_BACK,
} as const satisfies ActorTable;

export const PLANS_TABLE = {
  name: 'rates',
  key: ['t', 'id'],
  columns: {
    ...PLACE,
    id: 'uuid',
    code: 'varchar(50) once',
    name: 'varchar(100)',
    strategy: 'rate_strategy',
    status: 'rate_status',
    baseRate: 'numeric(10, 2)?',
    currency: 'char(3) once',
    validFrom: 'date?',
    validTo: 'date?',
    rules: 'jsonb',
    cancellationPolicy: 'varchar(50)',
    at: 'timestamptz(3)',
  },
  names: { at: 'updated_at' },
  computed: { ...CREATED, ...COMES_BACK },
} as const satisfies ActorTable;
