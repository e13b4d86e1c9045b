import type { BehindBreaker } from '../kernel/ports.ts';
import type { Address } from '../kernel/rules/caller.ts';
import type { Day } from '../kernel/rules/dates.ts';
import type { TenantId } from '../kernel/rules/ids.ts';
import type { Minor } from '../kernel/rules/money.ts';
import type { Instant, PropertyClock } from '../kernel/rules/property-time.ts';
import type { CompetitorRate, LeftOut, MarketNight } from '../rates/rules/competitor-rate.ts';

/** A property, its currency, and the requested nights, both inclusive. */
export type FeedQuestion = { to: Address; currency: string; start: Day; end: Day };

export type FeedAnswer = {
  rates: CompetitorRate[];
  /** Rows that were no rates at all. */
  malformed: number;
};

/** A feed of competitors' rates (docs/guide/production.md#partners). */
export interface CompetitorFeed extends BehindBreaker {
  /** Name of the source, fit to be shown: never an address with a secret in it. */
  readonly source: string;
  /** @throws DomainError PARTNER_UNAVAILABLE with words fit to be shown; what `signal` gives when it is aborted */
  read(question: FeedQuestion, signal: AbortSignal): Promise<FeedAnswer>;
}

/** Due sources of a property: those whose time has come by `now`, and those last queried, if ever, before `since`. */
export type DueBy = { now: Instant; since?: Instant };

/** A property with its sources that are due. */
export type DueProperty = {
  to: Address;
  currency: string;
  clock: PropertyClock;
  roomTypes: string[];
  /** It has a plan whose prices follow the market. */
  dynamic: boolean;
  sources: string[];
};

/** Result of querying a source about a property. */
type RateRequest = { source: string; at: Instant; nextSync: Instant };

/** A source over all properties of a tenant. */
export type SourceOverview = {
  source: string;
  properties: number;
  /** Properties for which it was queried, and those for which it failed the last time. */
  asked: number;
  failing: number;
  lastAttempt?: Instant;
  lastSuccess?: Instant;
  /** The earliest; absent without properties. A new property is queried once its set-up has had ten minutes. */
  nextSync?: Instant;
  /** Rates that its last answers brought, and rows of them that were left out. */
  rates: number;
  leftOut: LeftOut;
  /** Words of its newest failure that still holds. */
  error?: string;
};

/** What a room type of the property usually costs, and the last night that has a price. */
export type UsualRate = { roomType: string; rate: Minor; lastDay: Day };

/** Rates of competitors and how their sources stand, within one tenant. */
export interface CompetitorRates {
  /** The next properties behind `after`, in order of their ids, resident or passive; a page of a bounded size. */
  due(tenantId: TenantId, sources: readonly string[], by: DueBy, after?: string): Promise<DueProperty[]>;
  countDue(tenantId: TenantId, sources: readonly string[], by: DueBy): Promise<number>;
  /**
   * Stores a source's rates of the nights from `start` to `end`, within which all rates lie, in the place of what it
   * reported before. Where several sources know a competitor's rate, the newer observation stays.
   */
  replace(
    to: Address,
    request: RateRequest,
    known: { start: Day; end: Day; rates: readonly CompetitorRate[]; leftOut: LeftOut },
  ): Promise<void>;
  /** Notes that a source failed; its rates stay. */
  fail(to: Address, request: RateRequest, error: string): Promise<void>;
  /** Adds single rates from events, which are replaced by newer observations only. */
  add(to: Address, source: string, rates: readonly CompetitorRate[]): Promise<void>;
  /** Deletes nights before `today`, and rates of sources that are not among these any more. */
  forget(to: Address, today: Day, sources: readonly string[]): Promise<void>;
  /** Forgets all of properties that were deleted. */
  forgetDeleted(tenantId: TenantId): Promise<void>;
  overview(tenantId: TenantId, sources: readonly string[]): Promise<SourceOverview[]>;
  /** The market of the nights from `start` to `end` that has any rate, by room type and date. */
  market(to: Address, start: Day, end: Day): Promise<MarketNight[]>;
  /** The property's own usual rates, from `today` on. */
  usualRates(to: Address, today: Day): Promise<UsualRate[]>;
}
