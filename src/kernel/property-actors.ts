import type { Group } from '../groups/rules/group.ts';
import type { Property, Room, RoomType } from '../properties/rules/property.ts';
import type { CalendarEvent } from '../rates/rules/calendar-event.ts';
import type { QuotedCharges } from '../rates/rules/night-charges.ts';
import type { PricedParty } from '../rates/rules/occupancy.ts';
import type { Promotion } from '../rates/rules/promotion.ts';
import type {
  BaseNight,
  CalendarDay,
  CalendarQuery,
  GridCell,
  NightRestriction,
  PlanNight,
  Quote,
  QuoteQuery,
  RateNight,
  SearchedNights,
  ZeroNight,
} from '../rates/rules/queries.ts';
import type { RatePlan } from '../rates/rules/rate-plan.ts';
import type { HousekeepingTask } from '../rooms/rules/housekeeping.ts';
import type { Maintenance } from '../rooms/rules/maintenance.ts';
import type { ExtraStay } from '../stay/rules/extra-nights.ts';
import type { Inquiry } from '../stay/rules/inquiry.ts';
import type { OtbEntry } from '../stay/rules/otb-entry.ts';
import type { Address } from './rules/caller.ts';
import type { Command, CommandResults, Envelope, Reply } from './rules/commands.ts';
import type { Day } from './rules/dates.ts';
import type { InquiryId, TenantId } from './rules/ids.ts';
import type { JournalEntry } from './rules/journal.ts';
import type { Instant } from './rules/property-time.ts';

/** Set-up of a property as its actor has it. */
type PropertySetup = {
  property: Property;
  roomTypes: RoomType[];
  rooms: Room[];
  /** Those with a night from the business date on. */
  maintenances: Maintenance[];
  /** Those on which somebody can still act. */
  housekeeping: HousekeepingTask[];
  plans: RatePlan[];
};

/** A committed, immutable state of one property; every answer taken from it carries its `seq`. */
export interface PropertyView {
  readonly seq: number;
  readonly generation: number;
  /** Commit time of `seq`. */
  readonly at: Instant;
  readonly businessDate: Day;
  readonly currency: string;
  /** Taxes and fees on top of the rates of a night. */
  readonly charges: QuotedCharges;
  readonly setup: PropertySetup;
  /** Last sellable night. */
  readonly lastNight: Day;
  /** Text that changes with every change of rates or plans; equal texts mean equal rates. */
  readonly ratesStand: string;
  /**
   * Text that changes with everything that quotes of a room type follow from; equal texts of this process mean equal
   * quotes, those with a promo code excepted.
   */
  quoteStand(roomType: string): string;
  /** Whether a plan on sale prices by demand and market. */
  readonly isDynamic: boolean;
  /** @param holder subject and stay: units promised to them earlier are theirs */
  quote(query: QuoteQuery, now: Instant, holder?: string): Quote;
  /** Reserves a unit of a promotion for the holder while the token is valid. */
  promise(
    promoCode: string,
    holder: string,
    unit: { quoteId: string; checkIn: Day; checkOut: Day; until: Instant },
  ): void;
  /** Priced nights of both days inclusive, for revenue management. */
  rateNights(start: Day, end: Day, roomType?: string): RateNight[];
  /** Nights of both days inclusive whose price is 0 under a plan on sale, for a usual party. */
  zeroNights(start: Day, end: Day): ZeroNight[];
  /** Base rates of nights of both days inclusive, by room type. */
  baseNights(start: Day, end: Day, roomType?: string): BaseNight[];
  /** Nights of a room type under a plan, both days inclusive, clipped to the window of the property. */
  planNights(of: { roomType: string; rateCode: string }, start: Day, end: Day): PlanNight[];
  /** Nights of both days inclusive, by room type, with the least that they cost each party under any plan. */
  searchedNights(start: Day, end: Day, parties: readonly PricedParty[]): SearchedNights[];
  /** The cheapest offer of each day. */
  calendar(query: CalendarQuery): CalendarDay[];
  /** Cells of both days inclusive, by room type, clipped to the window of the property. */
  grid(start: Day, end: Day, roomType?: string): GridCell[];
  /** Whether more rooms of a type are taken on a night than it may sell, its own overbooking limit included. */
  isOversold(roomType: string, day: Day): boolean;
  /** Nights with entries in the on-the-books ledger, from the business date on, in order. */
  readonly books: readonly OtbEntry[];
  /** Nights of both days inclusive with restrictions, by plan and room type. */
  restrictions(start: Day, end: Day, of: { rateCode?: string; roomType?: string }): NightRestriction[];
  /** Whether sales of a night are stopped under every plan. */
  isClosed(roomType: string, day: Day): boolean;
  /** Next arrival of a guest with this room. */
  nextArrival(roomNumber: string): Day | undefined;
  /** An inquiry that is not over. */
  inquiry(id: InquiryId): Inquiry | undefined;
  /** Pieces of an extra that are taken on a night, from the business date on. */
  extrasTaken(code: string, night: Day): number;
  /** Pieces of extras that reservations have; unknown where the state came from a node of an earlier release. */
  readonly extraStays?: readonly ExtraStay[];
  readonly promotions: readonly Promotion[];
  readonly calendarEvents: readonly CalendarEvent[];
  /** Groups with future nights. */
  readonly groups: readonly Group[];
}

/** The part of a committed state for dashboards: plain data that can also come from another node. */
export type LiveView = Pick<
  PropertyView,
  'seq' | 'generation' | 'at' | 'businessDate' | 'currency' | 'books' | 'grid' | 'extraStays'
> & { readonly setup: Pick<PropertySetup, 'rooms'> };

/** Position of a follower. */
export type FollowFrom = {
  generation: number;
  seq: number;
  /** The follower has the state: missed entries suffice, without cells and history, where the ring has them. */
  continues?: boolean;
};

/** The newest entries of a property, and all later ones; `close` ends it. */
export type LiveFeed = {
  view: LiveView;
  /** Entries after `from.seq`, if the ring has all of them; `undefined` means that a snapshot is needed. */
  missed: JournalEntry[] | undefined;
  /** All entries of the ring, oldest first, for clients that were away longer than the first caller. */
  history: readonly JournalEntry[];
  /** The newest entries of the ring, oldest first, at most 50 with bookings. */
  recent: JournalEntry[];
  close(): void;
};

export type LiveListener = {
  entry(entry: JournalEntry, view: LiveView): void;
  /** The actor has left this node or ended: follow again. */
  lost(): void;
};

/** The property actors, on any node (ARCHITECTURE.md#the-picture). */
export interface PropertyActors {
  /**
   * Sends a command to the owner of the property, and resolves after its commit.
   * @throws DomainError with the `seq` that it was decided on; NOT_EXECUTED and OUTCOME_UNKNOWN as described in
   * docs/reference/api.md#problems
   */
  execute<C extends Command>(
    to: Address,
    envelope: Envelope & { command: C },
  ): Promise<Reply<CommandResults[C['type']]>>;
  /** The last committed view; activates a passive property. Never queues. @throws DomainError PROPERTY_NOT_FOUND */
  view(to: Address): Promise<PropertyView>;
  /**
   * Views of many properties of a tenant for some nights, both inclusive. Of passive properties only these nights are
   * read, in one statement, without activation. Unknown ids are left out.
   */
  views(
    tenantId: TenantId,
    propertyIds: readonly string[],
    nights: { first: Day; last: Day },
  ): Promise<PropertyView[]>;
  /**
   * Has rates of a tenant's properties in memory checked before their next use, on every reachable node.
   * @returns the number of such properties
   */
  forgetRates(tenantId: TenantId): Promise<number>;
  /** Follows the committed entries of a property without gaps. @throws DomainError PROPERTY_NOT_FOUND */
  follow(to: Address, from: FollowFrom | undefined, listener: LiveListener): Promise<LiveFeed>;
}
