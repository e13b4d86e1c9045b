import type { BehindBreaker } from '../kernel/ports.ts';
import type { Address } from '../kernel/rules/caller.ts';
import type { Day } from '../kernel/rules/dates.ts';
import type { TenantId } from '../kernel/rules/ids.ts';
import type { Minor } from '../kernel/rules/money.ts';
import type { Instant, PropertyClock } from '../kernel/rules/property-time.ts';
import type { CompetitorRate, LeftOutCounts, MarketNight } from '../rates/rules/competitor-rate.ts';

/** A property, its currency, and the requested nights, both inclusive. */
export type FeedQuestion = { to: Address; currency: string; start: Day; end: Day };

export type FeedAnswer = {
  rates: CompetitorRate[];
  /** Malformed rows. */
  malformed: number;
};

/** A feed of competitors' rates (docs/guide/production.md#partners). */
export interface CompetitorFeed extends BehindBreaker {
  /** Name of the source for display: never an address with a secret in it. */
  readonly source: string;
  /** @throws DomainError PARTNER_UNAVAILABLE with a text for display; the reason of `signal` when it is aborted */
  read(question: FeedQuestion, signal: AbortSignal): Promise<FeedAnswer>;
}

/** Due sources of a property: those whose time has come by `now`, and those last queried, if ever, before `since`. */
export type DueBy = { now: Instant; since?: Instant };

/** A property with its due sources. */
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
  /** Properties for which it was queried, and those whose last query failed. */
  queried: number;
  failing: number;
  lastAttempt?: Instant;
  lastSuccess?: Instant;
  /** The earliest; absent without properties. A new property is queried ten minutes after its creation. */
  nextSync?: Instant;
  /** Rates in its last answers, and rows left out. */
  rates: number;
  leftOut: LeftOutCounts;
  /** Newest error that still applies. */
  error?: string;
};

/** Usual rate of a room type of the property, and the last night with a price. */
export type UsualRate = { roomType: string; rate: Minor; lastDay: Day };

/** Competitor rates and state of their sources, within one tenant. */
export interface CompetitorRates {
  /** Next due properties after `after`, in order of their ids, resident or passive; a page of a limited size. */
  due(tenantId: TenantId, sources: readonly string[], by: DueBy, after?: string): Promise<DueProperty[]>;
  countDue(tenantId: TenantId, sources: readonly string[], by: DueBy): Promise<number>;
  /**
   * Replaces a source's rates between `start` and `end`. When several sources have a competitor's rate, the newer
   * observation stays.
   */
  replace(
    to: Address,
    request: RateRequest,
    known: { start: Day; end: Day; rates: readonly CompetitorRate[]; leftOut: LeftOutCounts },
  ): Promise<void>;
  /** Records a failure of a source; its rates stay. */
  fail(to: Address, request: RateRequest, error: string): Promise<void>;
  /** Adds single rates from events, which only newer observations replace. */
  add(to: Address, source: string, rates: readonly CompetitorRate[]): Promise<void>;
  /** Deletes nights before `today`, and rates of sources that are no longer configured. */
  forget(to: Address, today: Day, sources: readonly string[]): Promise<void>;
  /** Deletes rates and sources of deleted properties. */
  forgetDeleted(tenantId: TenantId): Promise<void>;
  overview(tenantId: TenantId, sources: readonly string[]): Promise<SourceOverview[]>;
  /** Market of the nights between `start` and `end` that have any rate, by room type and date. */
  market(to: Address, start: Day, end: Day): Promise<MarketNight[]>;
  /** Rates in this currency of a room type's nights, both inclusive, by competitor and date. */
  rates(
    to: Address,
    of: { roomType: string; start: Day; end: Day; currency: string },
  ): Promise<Pick<CompetitorRate, 'competitorId' | 'day' | 'rate' | 'observedAt'>[]>;
  /** The property's own usual rates, from `today` on. */
  usualRates(to: Address, today: Day): Promise<UsualRate[]>;
}
