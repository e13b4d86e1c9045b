import type { Group } from '../../src/groups/rules/group.ts';
import type { Address } from '../../src/kernel/rules/caller.ts';
import type { Day } from '../../src/kernel/rules/dates.ts';
import type { HousekeepingTaskId, InquiryId, MaintenanceId, WaitlistId } from '../../src/kernel/rules/ids.ts';
import type { Instant } from '../../src/kernel/rules/property-time.ts';
import type { SaleWindow } from '../../src/kernel/rules/sale-window.ts';
import type { Property, Room, RoomType } from '../../src/properties/rules/property.ts';
import type { CalendarEvent } from '../../src/rates/rules/calendar-event.ts';
import type { Promotion } from '../../src/rates/rules/promotion.ts';
import type { RatePlan } from '../../src/rates/rules/rate-plan.ts';
import type { RestrictionTable } from '../../src/rates/rules/restriction-table.ts';
import type { HousekeepingTask } from '../../src/rooms/rules/housekeeping.ts';
import type { Maintenance } from '../../src/rooms/rules/maintenance.ts';
import type { RoomPlan } from '../../src/rooms/rules/room-plan.ts';
import type { ExtraStay } from '../../src/stay/rules/extra-nights.ts';
import type { Hold } from '../../src/stay/rules/hold.ts';
import type { Inquiry } from '../../src/stay/rules/inquiry.ts';
import type { Reservation } from '../../src/stay/rules/reservation.ts';
import type { WaitlistEntry } from '../../src/stay/rules/waitlist.ts';
import type { OtbLedger } from './otb-ledger.ts';
import type { FullTable, Table } from './overlay.ts';
import type { PromisedUnits } from './rates/promised-units.ts';
import type { Slab } from './slab.ts';

/**
 * State of a property actor. Readers keep a consistent state as long as they like: what they can reach is replaced,
 * never written. Holds, used quotes and reservations belong to the actor alone and change in place after a commit. The
 * state after a batch under way has its changes laid over them instead.
 */
export type State = {
  readonly address: Address;
  readonly seq: number;
  readonly generation: number;
  /** Commit time of `seq`. */
  readonly at: Instant;
  /** Hash of the newest journal row. */
  readonly head: string;
  readonly property: Property | undefined;
  /** A deleted property as it was, with its room types and rooms; not visible to readers. */
  readonly removed?: Property;
  /** The business date: first night of the window. */
  readonly today: Day;
  readonly roomTypes: ReadonlyMap<string, RoomType>;
  readonly rooms: ReadonlyMap<string, Room>;
  readonly plans: ReadonlyMap<string, RatePlan>;
  /** By rate code, then by room type. */
  readonly restrictions: RestrictionTable;
  /** By promo code. */
  readonly promotions: ReadonlyMap<string, Promotion>;
  /** By id, those of the past too. */
  readonly calendarEvents: ReadonlyMap<string, CalendarEvent>;
  /** Not stored; shared by all states of one owner. */
  readonly promisedUnits: PromisedUnits;
  readonly groups: ReadonlyMap<string, Group>;
  readonly slabs: ReadonlyMap<string, Slab>;
  readonly books: OtbLedger;
  /** Version of the stored rates and plans whose external changes the journal contains. */
  readonly rateVersion: number;
  /** The database has rates for nights or types that have no cell yet, written ahead by others. */
  readonly ratesAhead: boolean;
  /** `seq` of the newest batch of this owner that changed rates or plans by a command. */
  readonly ratesSeq: number;
  /** Count of reservations that are PENDING, CONFIRMED or CHECKED_IN. */
  readonly unfinished: number;
  readonly holds: FullTable<Hold>;
  readonly usedQuotes: FullTable<Instant>;
  /** Stays with an assigned room; the rooms themselves are in `rooms`. */
  readonly roomPlan: RoomPlan;
  /** Those with a night from the business date on. */
  readonly maintenances: ReadonlyMap<MaintenanceId, Maintenance>;
  /** Housekeeping tasks that somebody can still act on. */
  readonly housekeeping: ReadonlyMap<HousekeepingTaskId, HousekeepingTask>;
  /** Requests that wait for a room, and those to whom one is offered. */
  readonly waitlist: ReadonlyMap<WaitlistId, WaitlistEntry>;
  /** Inquiries that are not over. */
  readonly inquiries: ReadonlyMap<InquiryId, Inquiry>;
  /** Pieces of extras that reservations have, by posting. */
  readonly extraStays: ReadonlyMap<string, ExtraStay>;
  /** The last document number by kind and year (docs/reference/invoices.md#numbers). */
  readonly serials: ReadonlyMap<string, number>;
  /** A cache with eviction: a missing reservation is read from the database when needed. */
  readonly reservations: Table<Reservation>;
};

/** Rate version while stored rates of new cells are unpublished. */
export const RATE_VERSION_STALE = -1;

/** Nights in the window: the horizon counts from tomorrow, and today is sold too. */
export function windowNights(property: Property): number {
  return property.metadata.policies.horizonNights + 1;
}

/** The sale window. Nights of a formerly longer window stay in memory but are not sold. */
export function saleWindow({ today, property }: Pick<State, 'today' | 'property'>): SaleWindow {
  return { businessDate: today, lastNight: today + windowNights(property!) - 1 };
}
