import type { Group } from '../../src/groups/rules/group.ts';
import type { Address } from '../../src/kernel/rules/caller.ts';
import type { Day } from '../../src/kernel/rules/dates.ts';
import type { Instant } from '../../src/kernel/rules/property-time.ts';
import type { SaleWindow } from '../../src/kernel/rules/sale-window.ts';
import type { Property, Room, RoomType } from '../../src/properties/rules/property.ts';
import type { Promotion } from '../../src/rates/rules/promotion.ts';
import type { RatePlan } from '../../src/rates/rules/rate-plan.ts';
import type { RestrictionDays } from '../../src/rates/rules/restriction.ts';
import type { RoomPlan } from '../../src/rooms/rules/room-plan.ts';
import type { Hold } from '../../src/stay/rules/hold.ts';
import type { Reservation } from '../../src/stay/rules/reservation.ts';
import type { OtbLedger } from './otb-ledger.ts';
import type { FullTable, Table } from './overlay.ts';
import type { PromisedUnits } from './rates/promised-units.ts';
import type { Slab } from './slab.ts';

/** Restrictions by rate code, then by room type. */
export type RestrictionTable = ReadonlyMap<string, ReadonlyMap<string, RestrictionDays>>;

/**
 * What a property actor knows. Everything a reader sees is replaced, never written, so a reader keeps a consistent
 * state as long as it likes; holds, used quotes and reservations belong to the actor alone and change in place, when a
 * batch has committed. The state that a batch under way will leave has its changes laid over them instead.
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
  /** The property as it was when it was deleted, with all below; nobody sees it. */
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
  /** Not stored; one object for all states of an owner. */
  readonly promisedUnits: PromisedUnits;
  readonly groups: ReadonlyMap<string, Group>;
  readonly slabs: ReadonlyMap<string, Slab>;
  readonly books: OtbLedger;
  /** Version of the stored rates and plans up to which the journal has external changes. */
  readonly rateVersion: number;
  /** The database has rates for nights or types that are not here yet: others wrote them ahead. */
  readonly ratesAhead: boolean;
  /** Number of the newest batch that changed them by a command of our own, since this owner has the property. */
  readonly ratesSeq: number;
  /** Reservations that are PENDING, CONFIRMED or CHECKED_IN. */
  readonly unfinished: number;
  readonly holds: FullTable<Hold>;
  readonly usedQuotes: FullTable<Instant>;
  /** Stays that have a room, without the rooms themselves: those are in `rooms`. */
  readonly roomPlan: RoomPlan;
  /** The last number that was given, by kind and year of the document (docs/reference/invoices.md#numbers). */
  readonly serials: ReadonlyMap<string, number>;
  /** May forget: a reservation is read again from the database when it is needed. */
  readonly reservations: Table<Reservation>;
};

/** Version of rates of which some are unpublished: those that were ahead and have a cell now. */
export const RATE_VERSION_STALE = -1;

/** Nights in the window: the horizon counts from tomorrow, today is sold too. */
export function windowNights(property: Property): number {
  return property.metadata.policies.horizonNights + 1;
}

/** What is on sale. A window that was longer keeps the nights beyond in memory, which sell no more. */
export function saleWindow({ today, property }: Pick<State, 'today' | 'property'>): SaleWindow {
  return { businessDate: today, lastNight: today + windowNights(property!) - 1 };
}
