import type { Group } from '../groups/rules/group.ts';
import type { QuotedCharges } from '../rates/rules/night-charges.ts';
import type { Promotion } from '../rates/rules/promotion.ts';
import type {
  BaseNight,
  CalendarDay,
  CalendarQuery,
  GridCell,
  NightRestriction,
  PropertySetup,
  Quote,
  QuoteQuery,
  RateNight,
  ZeroNight,
} from '../rates/rules/queries.ts';
import type { OtbEntry } from '../stay/rules/otb-entry.ts';
import type { Address } from './rules/caller.ts';
import type { Command, CommandResults, Envelope, Reply } from './rules/commands.ts';
import type { Day } from './rules/dates.ts';
import type { TenantId } from './rules/ids.ts';
import type { JournalEntry } from './rules/journal.ts';
import type { Instant } from './rules/property-time.ts';

/** A committed, immutable state of one property; every answer taken from it carries its `seq`. */
export interface PropertyView {
  readonly seq: number;
  readonly generation: number;
  /** Commit time of `seq`. */
  readonly at: Instant;
  readonly businessDate: Day;
  readonly currency: string;
  /** What comes on top of the rates of a night. */
  readonly charges: QuotedCharges;
  readonly setup: PropertySetup;
  /** Last night that can be sold. */
  readonly lastNight: Day;
  /** Text that is another one after every change of rates or plans, by whomever; equal ones mean the same rates. */
  readonly ratesStand: string;
  /** Whether a plan on sale prices by demand and market. */
  readonly isDynamic: boolean;
  /** @param holder subject and stay: what was promised to them before is theirs */
  quote(query: QuoteQuery, now: Instant, holder?: string): Quote;
  /** The holder's token promises a unit of a promotion: nobody else has it while the token holds. */
  promise(
    promoCode: string,
    holder: string,
    unit: { quoteId: string; checkIn: Day; checkOut: Day; until: Instant },
  ): void;
  /** Priced nights of both days inclusive as revenue management looks at them. */
  rateNights(start: Day, end: Day, roomType?: string): RateNight[];
  /** Nights of both days inclusive whose price comes to nothing under a plan on sale, for who usually stays. */
  zeroNights(start: Day, end: Day): ZeroNight[];
  /** What is set for nights of both days inclusive, room type by room type. */
  baseNights(start: Day, end: Day, roomType?: string): BaseNight[];
  /** The cheapest offer of each day. */
  calendar(query: CalendarQuery): CalendarDay[];
  /** Cells of both days inclusive, room type by room type, clipped to the window of the property. */
  grid(start: Day, end: Day, roomType?: string): GridCell[];
  /** Nights that have anything on the books of the property, from the business date on, in order. */
  readonly books: readonly OtbEntry[];
  /** Nights of both days inclusive that have restrictions, by plan and room type. */
  restrictions(start: Day, end: Day, of: { rateCode?: string; roomType?: string }): NightRestriction[];
  /** Whether sales of a night are stopped under every plan. */
  isClosed(roomType: string, day: Day): boolean;
  /** When the next guest comes who was given this room. */
  nextArrival(roomNumber: string): Day | undefined;
  readonly promotions: readonly Promotion[];
  /** Groups with nights to come. */
  readonly groups: readonly Group[];
}

/** What a dashboard needs of a committed state: plain data that can also come from another node. */
export type LiveView = Pick<
  PropertyView,
  'seq' | 'generation' | 'at' | 'businessDate' | 'currency' | 'books' | 'grid'
> & { readonly setup: Pick<PropertySetup, 'rooms'> };

/** Where somebody stands who wants to follow. */
export type FollowFrom = {
  generation: number;
  seq: number;
  /** It has all of the state there: what it missed is enough, without cells and history, where the ring has it. */
  continues?: boolean;
};

/** The newest entries of a property, and every one that follows; `close` ends it. */
export type LiveFeed = {
  view: LiveView;
  /** Entries after `from.seq` where the ring still has them all; `undefined` means that a snapshot is needed. */
  missed: JournalEntry[] | undefined;
  /** All entries the ring holds, oldest first: for others who were away longer than the first caller. */
  history: readonly JournalEntry[];
  /** The newest entries the ring holds, oldest first, at most 50 with a booking in them. */
  recent: JournalEntry[];
  close(): void;
};

export type LiveListener = {
  entry(entry: JournalEntry, view: LiveView): void;
  /** The actor left this node or lost its memory: subscribe again. */
  lost(): void;
};

/** The property actors, wherever they live (ARCHITECTURE.md#the-picture). */
export interface PropertyActors {
  /**
   * Sends a command to the owner of the property and answers after its commit.
   * @throws DomainError with the `seq` it was decided on; NOT_EXECUTED and OUTCOME_UNKNOWN as
   * docs/reference/api.md#problems says.
   */
  execute<C extends Command>(
    to: Address,
    envelope: Envelope & { command: C },
  ): Promise<Reply<CommandResults[C['type']]>>;
  /**
   * The last committed view; activates the actor when it is passive. Never queues. @throws DomainError
   * PROPERTY_NOT_FOUND
   */
  view(to: Address): Promise<PropertyView>;
  /**
   * Many properties of a tenant for some nights, both inclusive: of passive ones only these nights are read, in
   * one statement, and none is activated. What the tenant does not have is left out.
   */
  views(
    tenantId: TenantId,
    propertyIds: readonly string[],
    nights: { first: Day; last: Day },
  ): Promise<PropertyView[]>;
  /**
   * Rates of a tenant's properties in memory, on every node that can be reached, are believed no more before they have
   * been checked again.
   * @returns how many properties that were
   */
  forgetRates(tenantId: TenantId): Promise<number>;
  /** Follows the committed entries of a property without a gap. @throws DomainError PROPERTY_NOT_FOUND */
  follow(to: Address, from: FollowFrom | undefined, listener: LiveListener): Promise<LiveFeed>;
}
