import { GROUP_ROWS, type LoadedGroup } from '../../groups/storage/group-load.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { PropertyId } from '../../kernel/rules/ids.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { DocumentNumber } from '../../money/rules/invoice-document.ts';
import { daySql, here, list, ms, presentColumns, presentSql } from '../../platform/database/load-sql.ts';
import { statusKey } from '../../platform/database/row-values.ts';
import { HOLDS_TABLE } from '../../platform/database/tables/bookings.ts';
import {
  EXTRA_STAYS_TABLE,
  INQUIRIES_TABLE,
  HOUSEKEEPING_TABLE,
  MAINTENANCES_TABLE,
  ROOM_STAYS_TABLE,
  WAITLIST_TABLE,
} from '../../platform/database/tables/front-desk.ts';
import { BOOKS_TABLE, CELLS_TABLE } from '../../platform/database/tables/inventory.ts';
import { CALENDAR_EVENTS_TABLE, SIGNALS_TABLE } from '../../platform/database/tables/sales.ts';
import {
  PLANS_TABLE,
  PROPERTIES_TABLE,
  ROOM_TYPES_TABLE,
  ROOMS_TABLE,
} from '../../platform/database/tables/set-up.ts';
import { selectOf } from '../../platform/database/tables/table.ts';
import type { Policies, Property, Room, RoomType } from '../../properties/rules/property.ts';
import type { CalendarEvent } from '../../rates/rules/calendar-event.ts';
import { DEFAULT_RULES, type RatePlan } from '../../rates/rules/rate-plan.ts';
import type { StoredRate, StoredRates } from '../../rates/rules/stored-rates.ts';
import { type LoadedPromotion, PROMOTION_ROWS, RESTRICTION_ROWS } from '../../rates/storage/sales-load.ts';
import type { HousekeepingTask } from '../../rooms/rules/housekeeping.ts';
import type { Maintenance } from '../../rooms/rules/maintenance.ts';
import type { PlanStay } from '../../rooms/rules/room-plan.ts';
import type { ExtraStay } from '../../stay/rules/extra-nights.ts';
import type { Hold, HoldDocument } from '../../stay/rules/hold.ts';
import type { Inquiry, InquiryDocument } from '../../stay/rules/inquiry.ts';
import { isUnfinished } from '../../stay/rules/reservation-states.ts';
import { RESERVATION_STATUSES } from '../../stay/rules/reservation.ts';
import type { WaitlistDocument, WaitlistEntry } from '../../stay/rules/waitlist.ts';
import type { Loaded, StoredOtbEntry, StoredCell, StoredRestriction, StoredSignal } from '../ports.ts';

export type LoadedPlan = Pick<RatePlan, 'id' | 'code' | 'name' | 'status' | 'strategy' | 'cancellationPolicy'> & {
  baseRate: Minor | null;
  validFrom: Day | null;
  validTo: Day | null;
  rules: Partial<RatePlan>;
};

/** A number in whole units; JSON has no NaN, so the database prints it as text. */
type Decimal = number | 'NaN';

/**
 * Rates of one room type by column: entries of the same index belong together. Seasons are listed only for nights that
 * have one; null when none has.
 */
type LoadedRateColumns = {
  roomType: string;
  days: Day[];
  rates: Decimal[];
  seasonDays: Day[] | null;
  multipliers: Decimal[] | null;
  amounts: Decimal[] | null;
};

/** Result of `LOAD_RATES`. */
export type LoadedRates = Omit<StoredRates, 'plans' | 'rates'> & { plans: LoadedPlan[]; rates: LoadedRateColumns[] };

/** Converts columns to rows. */
export function ratesOf(columns: readonly LoadedRateColumns[]): StoredRate[] {
  return columns.flatMap(({ roomType, days, rates: all, seasonDays, multipliers, amounts }) => {
    const seasons = new Map(seasonDays?.map((night, n) => [night, n]));
    return days.map((night, n) => {
      const season = seasons.get(night);
      const rate = hundredths(all[n]!);
      if (season === undefined) return { roomType, day: night, rate, multiplier: 100, amount: 0 };
      const multiplier = hundredths(multipliers![season]!);
      const amount = hundredths(amounts![season]!);
      return { roomType, day: night, rate, multiplier, amount };
    });
  });
}

const hundredths = (value: Decimal): number => Math.round(Number(value) * 100);

/** Rules that a row leaves out get their defaults; other programs may have written the row. */
export function storedPlanOf({ rules, baseRate, validFrom, validTo, ...plan }: LoadedPlan): RatePlan {
  return {
    ...DEFAULT_RULES,
    ...rules,
    ...(baseRate !== null && { baseRate }),
    ...(validFrom !== null && { validFrom }),
    ...(validTo !== null && { validTo }),
    ...plan,
  };
}

/** Result of `LOAD_PROPERTY`: domain values, since the database formats days, cents and instants. */
export type LoadedDocument = {
  epoch: number;
  seq: number;
  generation: number;
  head: string;
  at: Instant | null;
  today: Day | null;
  property: Property | null;
  removed: Property | null;
  tenantPolicies: Partial<Policies> | null;
  roomTypes: RoomType[];
  rooms: Room[];
  plans: LoadedPlan[];
  cells: StoredCell[];
  books: StoredOtbEntry[];
  rates: LoadedRateColumns[];
  signals: StoredSignal[];
  restrictions: (Omit<StoredRestriction, 'restriction'> & { restriction: Record<string, number | boolean | null> })[];
  promotions: LoadedPromotion[];
  calendarEvents: CalendarEvent[];
  groups: LoadedGroup[];
  rateVersion: number;
  journaledRateVersion: number;
  holds: (Omit<Hold, keyof HoldDocument> & { doc: HoldDocument })[];
  roomStays: PlanStay[];
  maintenances: Maintenance[];
  housekeeping: HousekeepingTask[];
  waitlist: (Omit<WaitlistEntry, keyof WaitlistDocument> & { details: WaitlistDocument })[];
  inquiries: (Omit<Inquiry, keyof InquiryDocument> & { details: InquiryDocument })[];
  extraStays: ExtraStay[];
  serials: DocumentNumber[];
  usedQuotes: { quoteId: string; expiresAt: Instant }[];
  unfinished: number;
  pending: string[];
};

/** State of a property that does not exist, not even with an owner. */
export const neverTaken = (): Loaded => ({
  ownership: { epoch: 0, seq: 0, generation: 1, head: '' },
  at: 0,
  property: undefined,
  today: undefined,
  rateVersion: 0,
  journaledRateVersion: 0,
  unfinished: 0,
  roomTypes: [],
  rooms: [],
  plans: [],
  cells: [],
  books: [],
  rates: [],
  signals: [],
  restrictions: [],
  promotions: [],
  calendarEvents: [],
  groups: [],
  holds: [],
  roomStays: [],
  maintenances: [],
  housekeeping: [],
  waitlist: [],
  inquiries: [],
  extraStays: [],
  serials: [],
  usedQuotes: [],
  pending: [],
});

const propertyRow = (which: string): string => `
  select property_id as "propertyId", ${selectOf(PROPERTIES_TABLE)} from properties where ${here} and deleted_at ${which}`;
const PROPERTY = propertyRow('is null');
const REMOVED = propertyRow('is not null');

const ROOM_TYPE_ROWS = `
  select ${selectOf(ROOM_TYPES_TABLE)} from room_types where ${here} and deleted_at is null order by created_at, room_type`;

const ROOM_ROWS = `
  select ${selectOf(ROOMS_TABLE, ['accessible', 'connectsTo'])},
    nullif(accessible, false) as accessible, nullif(connects_to, '[]') as "connectsTo"
  from rooms where ${here} and deleted_at is null order by room_number`;

export const PLAN_COLUMNS = selectOf(PLANS_TABLE, ['currency']);
const PLAN_ROWS = `select ${PLAN_COLUMNS} from rates where ${here} and deleted_at is null order by created_at, code`;

const CELL_ROWS = `
  select ${selectOf(CELLS_TABLE, ['available', 'shortfall', 'toldAt', 'toldSeq'])},
    case when told_at is not null then json_build_object('at', told_at, 'seq', told_seq) end as told
  from availability.room_availability where ${here} and date >= a.business_date`;

const BOOK_ROWS = `select ${selectOf(BOOKS_TABLE)} from night_books where ${here} and date >= a.business_date`;

const HAS_SEASON = 'seasonal_multiplier <> 1 or seasonal_amount <> 0';

/**
 * By column, with seasons only where there are any: a property has some thousand rates, and an object for each took
 * half the time of an activation. Most of the remaining time goes to computing and writing each value.
 */
const rates = (which = ''): string => `
  select room_type as "roomType", array_agg(${daySql('rate_date')}) as days, array_agg(rate) as rates,
    array_agg(${daySql('rate_date')}) filter (where ${HAS_SEASON}) as "seasonDays",
    array_agg(seasonal_multiplier) filter (where ${HAS_SEASON}) as multipliers,
    array_agg(seasonal_amount) filter (where ${HAS_SEASON}) as amounts
  from base_rates where ${here} and rate_date >= a.business_date and isfinite(rate_date) ${which}
  group by room_type`;

const SIGNAL_ROWS = `select ${selectOf(SIGNALS_TABLE)} from rate_signals where ${here} and date >= a.business_date`;

const CALENDAR_EVENT_ROWS = `select ${selectOf(CALENDAR_EVENTS_TABLE)} from calendar_events where ${here}`;

const RATE_VERSION = `coalesce((select version from rate_version where ${here}), 0)`;

export const HOLD_ROWS = `select ${selectOf(HOLDS_TABLE)} from holds where ${here}`;

const ROOM_STAY_ROWS = `
  select ${selectOf(ROOM_STAYS_TABLE, ['inHouse', 'fixed'])},
    case when in_house then 'CHECKED_IN' else 'CONFIRMED' end as status, 'NONE' as tier, nullif(fixed, false) as fixed
  from room_assignments where ${here}`;

const MAINTENANCE_ROWS = `
  select ${selectOf(MAINTENANCES_TABLE)} from maintenances
  where ${here} and deleted_at is null and (last_night is null or last_night >= a.business_date)`;

const INQUIRY_ROWS = `
  select ${selectOf(INQUIRIES_TABLE, ['roomType', 'checkIn', 'checkOut'])} from inquiries
  where ${here} and status = 'OPEN' order by created_at, id`;
/** Release 0.1.0 does not say of its tasks whether they are open. */
const HOUSEKEEPING_ROWS = `
  select ${selectOf(HOUSEKEEPING_TABLE, ['isOpen'])} from housekeeping_tasks
  where ${here} and (is_open or status = 'PENDING')`;

const WAITLIST_ROWS = `
  select ${selectOf(WAITLIST_TABLE, ['roomType', 'checkIn', 'checkOut'])} from waitlist
  where ${here} and status in ('WAITING', 'OFFERED') order by number`;

/** Statuses as numbers, which indexes support under row security: the past of a property is not scanned. */
const UNFINISHED = RESERVATION_STATUSES.filter(isUnfinished).map(statusKey).join(', ');

/** A node of release 0.1.0 that ends a stay leaves the rows of its extras. */
const EXTRA_STAY_ROWS = `
  select ${selectOf(EXTRA_STAYS_TABLE)} from extra_stays e
  where ${here} and exists (select from reservations r
    where r.tenant_id = e.tenant_id and r.id = e.reservation_id and r.status_key in (${UNFINISHED}))`;

/** Last number of each sequence, newest first, each found by its index: the invoices of ten years are not scanned. */
const SERIAL_ROWS = `
  with recursive ends as (
    (select kind, year, serial from invoice_documents where ${here} and serial is not null
     order by kind desc, year desc, serial desc limit 1)
    union all
    select d.* from ends e cross join lateral (
      select kind, year, serial from invoice_documents
      where ${here} and serial is not null and (kind, year) < (e.kind, e.year)
      order by kind desc, year desc, serial desc limit 1) d)
  select kind, year, serial from ends`;

/** Quote tokens are valid for 15 minutes; an hour is more than enough. */
const USED_QUOTES = `
  select quote_id as "quoteId", ${ms("created_at + interval '1 hour'")} as "expiresAt"
  from reservations where ${here} and quote_id is not null and created_at > app_now() - interval '1 hour'`;

/** A single statement, so one snapshot at one `seq`. Parameter: the property id; the tenant is the transaction's. */
export const loadProperty = (property: string): string => `
  select json_build_object(
    'epoch', a.epoch, 'seq', a.seq, 'generation', a.generation, 'head', a.head_hash,
    'at', ${ms('a.committed_at')}, 'today', ${daySql('a.business_date')},
    'property', (select ${presentColumns('x')} from (${PROPERTY}) x),
    'removed', (select ${presentColumns('x')} from (${REMOVED}) x),
    'tenantPolicies', (select config -> 'policies' from tenants where tenant_id = a.tenant_id),
    'roomTypes', ${presentSql(list(ROOM_TYPE_ROWS))}, 'rooms', ${presentSql(list(ROOM_ROWS))}, 'plans', ${list(PLAN_ROWS)},
    'restrictions', ${list(RESTRICTION_ROWS)}, 'signals', ${presentSql(list(SIGNAL_ROWS))}, 'promotions', ${presentSql(list(PROMOTION_ROWS))}, 'calendarEvents', ${presentSql(list(CALENDAR_EVENT_ROWS))}, 'groups', ${list(GROUP_ROWS)},
    'cells', ${list(CELL_ROWS)}, 'books', ${list(BOOK_ROWS)}, 'rates', ${list(rates())},
    'rateVersion', ${RATE_VERSION}, 'journaledRateVersion', a.rate_version, 'holds', ${list(HOLD_ROWS)}, 'roomStays', ${presentSql(list(ROOM_STAY_ROWS))},
    'maintenances', ${presentSql(list(MAINTENANCE_ROWS))}, 'housekeeping', ${presentSql(list(HOUSEKEEPING_ROWS))}, 'waitlist', ${list(WAITLIST_ROWS)}, 'inquiries', ${list(INQUIRY_ROWS)}, 'extraStays', ${list(EXTRA_STAY_ROWS)}, 'serials', ${list(SERIAL_ROWS)}, 'usedQuotes', ${list(USED_QUOTES)},
    'unfinished', (select count(*) from reservations where ${here} and deleted_at is null
       and status_key in (${UNFINISHED})),
    'pending', (select coalesce(json_agg(id), '[]') from reservations
       where ${here} and status_key = ${statusKey('PENDING')})
  ) as document
  from property_actor a where a.tenant_id = current_setting('innkeeper.tenant') and a.property_id = ${property}`;

/** Newest entries up to a number, oldest first. Parameters: property id, last number, limit, last number. */
export const RECENT = `
  select seq, ${ms('at')}::float8 as at, type, subject, request_id as "requestId", entity, facts, hash
  from journal where tenant_id = current_setting('innkeeper.tenant') and property_id = ?
    and seq > ?::bigint - ?::bigint and seq <= ?::bigint order by seq`;

/** Result of `LOAD_NIGHTS` for a property. */
export type LoadedNightsDocument = Pick<
  LoadedDocument,
  'seq' | 'generation' | 'roomTypes' | 'plans' | 'restrictions' | 'signals' | 'cells' | 'rates'
> & { propertyId: PropertyId; property: Property };

const within = (rows: string, column: string): string => `${rows} and ${column} between w.first and w.last`;

/** Nights of many properties, without data that only owners need. Parameters: first, last, property ids. */
export const LOAD_NIGHTS = `
  select json_build_object(
    'propertyId', a.property_id, 'seq', a.seq, 'generation', a.generation,
    'property', ${presentColumns('p')}, 'roomTypes', ${presentSql(list(ROOM_TYPE_ROWS))}, 'plans', ${list(PLAN_ROWS)},
    'restrictions', ${list(within(RESTRICTION_ROWS, 'date'))}, 'signals', ${presentSql(list(within(SIGNAL_ROWS, 'date')))},
    'cells', ${list(within(CELL_ROWS, 'date'))}, 'rates', ${list(rates('and rate_date between w.first and w.last'))}
  ) as document
  from (select ?::date as first, ?::date as last) w, property_actor a, lateral (${PROPERTY}) p
  where a.tenant_id = current_setting('innkeeper.tenant')
    and a.property_id in (select json_array_elements_text(?::json))`;

/** Rates and plans alone, in one snapshot with their version and the property's `seq`. */
export const LOAD_RATES = `
  select json_build_object(
    'version', ${RATE_VERSION}, 'seq', a.seq, 'plans', ${list(PLAN_ROWS)}, 'rates', ${list(rates())}
  ) as document
  from property_actor a where a.tenant_id = current_setting('innkeeper.tenant') and a.property_id = ?`;
