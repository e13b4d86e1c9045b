import { IDEMPOTENCY_TABLE, JOURNAL_TABLE, PROPERTY_ACTOR_TABLE } from '../../platform/database/tables/actors.ts';
import {
  GUESTS_TABLE,
  HISTORY_TABLE,
  HOLDS_TABLE,
  PAYMENTS_TABLE,
  RESERVATIONS_TABLE,
} from '../../platform/database/tables/bookings.ts';
import {
  EXTRA_STAYS_TABLE,
  HOUSEKEEPING_TABLE,
  INQUIRIES_TABLE,
  INVOICE_DOCUMENTS_TABLE,
  MAINTENANCES_TABLE,
  WAITLIST_TABLE,
  ROOM_STAYS_TABLE,
} from '../../platform/database/tables/front-desk.ts';
import { BASE_RATES_TABLE, BOOKS_TABLE, CELLS_TABLE } from '../../platform/database/tables/inventory.ts';
import * as sales from '../../platform/database/tables/sales.ts';
import {
  PLANS_TABLE,
  PROPERTIES_TABLE,
  ROOM_TYPES_TABLE,
  ROOMS_TABLE,
} from '../../platform/database/tables/set-up.ts';
import { type Columns, type ActorTable, sqlName, type Values } from '../../platform/database/tables/table.ts';

/**
 * A list of rows that the commit function takes. `insert`, `upsert` and `delete` are generated, other statements are in
 * `migrations/sql/` with columns that a test compares. Every row must be written (IK004), unless `mayBeFewer` gives a
 * reason.
 */
export type List = {
  table: ActorTable;
  /** Columns of these rows, when not all. */
  only?: readonly string[];
  /** Members of rows that are no columns of the table. */
  more?: Columns;
} &
  // Rows are written in a fixed order, because two calls with the same rows would otherwise deadlock.
  (
    | { write: 'insert' | 'upsert'; order?: readonly string[] }
    | { write: 'delete'; mayBeFewer: string }
    | { write: 'by hand'; mayBeFewer: string }
  );
type Lists = Readonly<Record<string, List>>;

const FENCE = {
  fences: {
    table: PROPERTY_ACTOR_TABLE,
    more: { old: 'bigint', before: 'text' },
    write: 'by hand',
    mayBeFewer: 'a property that is not moved is IK001, with its name',
  },
  keyLookups: {
    table: IDEMPOTENCY_TABLE,
    only: ['t', 'p', 'subject', 'key'],
    write: 'by hand',
    mayBeFewer: 'keys are read, and only expired records are deleted',
  },
} as const satisfies Lists;

const KEYS = {
  keyClaims: { table: IDEMPOTENCY_TABLE, write: 'insert', order: ['t', 'subject', 'key'] },
  keyCompletions: {
    table: IDEMPOTENCY_TABLE,
    write: 'by hand',
    mayBeFewer: 'the first answer under a key stands, and a record older than a day may have been deleted',
  },
  keyReleases: {
    table: IDEMPOTENCY_TABLE,
    only: ['t', 'subject', 'key', 'ref'],
    write: 'by hand',
    mayBeFewer: 'a record that is complete or was deleted is not released',
  },
} as const satisfies Lists;

const AT = { at: 'timestamptz(3)' } as const;
const NEVER_WRITTEN = 'what was created and removed in one batch never was a row';

const SET_UP = {
  properties: { table: PROPERTIES_TABLE, write: 'upsert' },
  propertiesDeleted: {
    table: PROPERTIES_TABLE,
    only: ['t', 'p'],
    more: AT,
    write: 'by hand',
    mayBeFewer: NEVER_WRITTEN,
  },
  roomTypes: { table: ROOM_TYPES_TABLE, write: 'upsert' },
  roomTypesRemoved: {
    table: ROOM_TYPES_TABLE,
    only: ['t', 'p', 'roomType', 'at'],
    write: 'by hand',
    mayBeFewer: NEVER_WRITTEN,
  },
  rooms: { table: ROOMS_TABLE, write: 'upsert' },
  roomsRemoved: {
    table: ROOMS_TABLE,
    only: ['t', 'p', 'roomNumber'],
    more: AT,
    write: 'by hand',
    mayBeFewer: NEVER_WRITTEN,
  },
  plans: { table: PLANS_TABLE, write: 'upsert' },
  plansRemoved: {
    table: PLANS_TABLE,
    only: ['t', 'p', 'id', 'code', 'at'],
    write: 'by hand',
    mayBeFewer: NEVER_WRITTEN,
  },
} as const satisfies Lists;

const SALES = {
  rateChanges: { table: sales.RATE_CHANGES_TABLE, write: 'insert' },
  signals: { table: sales.SIGNALS_TABLE, write: 'upsert' },
  restrictions: { table: sales.RESTRICTIONS_TABLE, write: 'upsert' },
  restrictionsRemoved: {
    table: sales.RESTRICTIONS_TABLE,
    only: ['t', 'p', 'rateCode', 'roomType', 'day'],
    write: 'delete',
    mayBeFewer: 'a night without restrictions has no row, and those of a removed plan went with it',
  },
  promotions: { table: sales.PROMOTIONS_TABLE, write: 'upsert' },
  promotionNights: { table: sales.PROMOTION_NIGHTS_TABLE, write: 'upsert' },
  calendarEventsRemoved: {
    table: sales.CALENDAR_EVENTS_TABLE,
    only: ['t', 'eventId'],
    write: 'delete',
    mayBeFewer: 'an event that was added and removed in one batch never was a row',
  },
  calendarEvents: { table: sales.CALENDAR_EVENTS_TABLE, write: 'upsert' },
  groups: { table: sales.GROUPS_TABLE, write: 'upsert' },
  groupBlocksRemoved: {
    table: sales.GROUP_BLOCKS_TABLE,
    only: ['t', 'groupId', 'day', 'roomType'],
    write: 'delete',
    mayBeFewer: 'a night that was picked up and given back in one batch never was a row',
  },
  groupBlocks: { table: sales.GROUP_BLOCKS_TABLE, write: 'upsert' },
} as const satisfies Lists;

const FRONT_DESK = {
  maintenances: { table: MAINTENANCES_TABLE, write: 'upsert' },
  maintenancesRemoved: {
    table: MAINTENANCES_TABLE,
    only: ['t', 'maintenanceId'],
    more: AT,
    write: 'by hand',
    mayBeFewer: NEVER_WRITTEN,
  },
  waitlist: { table: WAITLIST_TABLE, write: 'upsert' },
  inquiries: { table: INQUIRIES_TABLE, write: 'upsert' },
  extraStaysRemoved: {
    table: EXTRA_STAYS_TABLE,
    only: ['t', 'postingId'],
    write: 'delete',
    mayBeFewer: 'pieces that were taken and given back in one batch never had a row',
  },
  extraStays: { table: EXTRA_STAYS_TABLE, write: 'upsert' },
  roomStaysRemoved: {
    table: ROOM_STAYS_TABLE,
    only: ['t', 'reservationId'],
    write: 'delete',
    mayBeFewer: 'a stay that got a room and lost it in one batch never had a row',
  },
  roomStays: { table: ROOM_STAYS_TABLE, write: 'upsert' },
  // What is over first: a room has one PENDING task, and a new one may take the place of another.
  housekeeping: { table: HOUSEKEEPING_TABLE, write: 'upsert', order: ['isOpen', 't', 'taskId'] },
  invoiceDocuments: { table: INVOICE_DOCUMENTS_TABLE, write: 'insert' },
} as const satisfies Lists;

const BOOKINGS = {
  guests: {
    table: GUESTS_TABLE,
    more: { wrapped: 'text?' },
    write: 'by hand',
    mayBeFewer: 'a guest who is known by another id, or was erased, is IK003',
  },
  newReservations: { table: RESERVATIONS_TABLE, write: 'insert' },
  newPayments: { table: PAYMENTS_TABLE, write: 'insert' },
  newHolds: { table: HOLDS_TABLE, write: 'insert' },
  reservations: { table: RESERVATIONS_TABLE, write: 'upsert' },
  history: { table: HISTORY_TABLE, write: 'insert' },
  payments: { table: PAYMENTS_TABLE, write: 'upsert' },
  holds: { table: HOLDS_TABLE, write: 'upsert' },
  holdsRemoved: {
    table: HOLDS_TABLE,
    only: ['t', 'p', 'id'],
    write: 'by hand',
    mayBeFewer: 'a hold that came and went in one batch never was a row',
  },
} as const satisfies Lists;

const INVENTORY = {
  cells: { table: CELLS_TABLE, write: 'upsert' },
  books: { table: BOOKS_TABLE, write: 'upsert' },
  baseRates: { table: BASE_RATES_TABLE, write: 'upsert' },
} as const satisfies Lists;

/** Lists by the function that writes them (`migrations/sql/commit-batch.v3/`), in the order of writing. */
export const SUBJECTS = {
  keys: KEYS,
  'set-up': SET_UP,
  sales: SALES,
  'front-desk': FRONT_DESK,
  bookings: BOOKINGS,
  inventory: INVENTORY,
} as const;

const ALL = {
  ...FENCE,
  ...KEYS,
  ...SET_UP,
  ...SALES,
  ...FRONT_DESK,
  ...BOOKINGS,
  ...INVENTORY,
  journal: { table: JOURNAL_TABLE, write: 'insert' },
} as const satisfies Lists;

export type RowList = keyof typeof ALL;
/** Every list, in the order of the parameters of the commit function. */
export const LISTS: Readonly<Record<RowList, List>> = ALL;
export const ROW_LISTS = Object.keys(ALL) as RowList[];

type Of<L extends RowList> = (typeof ALL)[L];
type Only<L> = L extends { only: readonly (infer F)[] } ? F : unknown;
/** Columns that rows of a list have. */
export type ColumnsOf<L extends RowList> = {
  readonly [F in keyof Of<L>['table']['columns'] as F extends Only<Of<L>> ? F : never]: Of<L>['table']['columns'][F];
} & (Of<L> extends { more: infer M } ? M : unknown);
export type RowOf<L extends RowList> = Values<ColumnsOf<L>>;

export function columnsOf(list: List): Columns {
  const { table, only, more } = list;
  const entries = Object.entries(table.columns).filter(([field]) => only?.includes(field) ?? true);
  return { ...Object.fromEntries(entries), ...more };
}

/** Version of the commit function; the folder in `migrations/sql/` is named after it. */
export const COMMIT_VERSION = 'v3';
export const COMMIT_FUNCTION = `commit_batch_${COMMIT_VERSION}`;

/** Call of the commit function; its values are those of `batchArguments`. */
export const COMMIT = `select ${COMMIT_FUNCTION}(${['tenants', 'counts', ...ROW_LISTS.map(sqlName)]
  .map((name, n) => `${name} => $${n + 1}`)
  .join(', ')}) as answer`;
