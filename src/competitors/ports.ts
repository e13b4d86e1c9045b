import type { BehindBreaker } from '../kernel/ports.ts';
import type { Address } from '../kernel/rules/caller.ts';
import type { Day } from '../kernel/rules/dates.ts';
import type { Minor } from '../kernel/rules/money.ts';
import type { Instant, PropertyClock } from '../kernel/rules/property-time.ts';
import type { CompetitorRate, LeftOut, MarketNight } from '../rates/rules/competitor-rate.ts';

/** A property, its currency, and the nights asked for, both inclusive. */
export type FeedQuestion = { to: Address; currency: string; start: Day; end: Day };

export type FeedAnswer = {
  rates: CompetitorRate[];
  /** Rows that were no rates at all. */
  malformed: number;
};

/** Somebody who watches what competitors ask (docs/guide/production.md#partners). */
export interface CompetitorFeed extends BehindBreaker {
  /** Name of the source, fit to be shown: never an address with a secret in it. */
  readonly source: string;
  /** @throws DomainError PARTNER_UNAVAILABLE with words fit to be shown; what `signal` gives when it is aborted */
  read(question: FeedQuestion, signal: AbortSignal): Promise<FeedAnswer>;
}

/** Which sources of a house are due: those whose time has come by `now`, and those last asked, if ever, before `since`. */
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

/** What became of asking a source about a property. */
export type RateRequest = { source: string; at: Instant; nextSync: Instant };

/** A source over all properties of a tenant. */
export type SourceOverview = {
  source: string;
  properties: number;
  /** Properties for which it has been asked, and those for which it failed the last time. */
  asked: number;
  failing: number;
  lastAttempt?: Instant;
  lastSuccess?: Instant;
  /** The earliest; absent without properties. A new property is asked for once its set-up has had ten minutes. */
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
  /** The next properties behind `after`, in order of their ids, awake or asleep; a page of a bounded size. */
  due(tenantId: string, sources: readonly string[], by: DueBy, after?: string): Promise<DueProperty[]>;
  countDue(tenantId: string, sources: readonly string[], by: DueBy): Promise<number>;
  /**
   * Takes what a source knows of the nights from `start` to `end`, within which all rates lie, in the place of what it
   * told before. Where several sources know a competitor's rate, the newer observation stays.
   */
  replace(
    to: Address,
    asked: RateRequest,
    known: { start: Day; end: Day; rates: readonly CompetitorRate[]; leftOut: LeftOut },
  ): Promise<void>;
  /** Notes that a source failed; its rates stay. */
  fail(to: Address, asked: RateRequest, error: string): Promise<void>;
  /** Adds single rates from elsewhere (events), which are replaced by newer observations only. */
  add(to: Address, source: string, rates: readonly CompetitorRate[]): Promise<void>;
  /** Forgets nights before `today`, and what sources told that are not among these any more. */
  forget(to: Address, today: Day, sources: readonly string[]): Promise<void>;
  /** Forgets all of properties that were deleted. */
  forgetDeleted(tenantId: string): Promise<void>;
  overview(tenantId: string, sources: readonly string[]): Promise<SourceOverview[]>;
  /** The market of the nights from `start` to `end` that has any rate, by room type and date. */
  market(to: Address, start: Day, end: Day): Promise<MarketNight[]>;
  /** What the property itself usually asks, from `today` on. */
  usualRates(to: Address, today: Day): Promise<UsualRate[]>;
}
