import type { Fold, Folded } from '../history/rules/journal-fold.ts';
import type { RowsOfDate } from '../history/rules/rows-of-date.ts';
import type { BehindBreaker, Delivery, Page, PagePosition } from '../kernel/ports.ts';
import type { PropertyView } from '../kernel/property-actors.ts';
import type { By, Done, RequestKey } from '../kernel/rules/administration.ts';
import type { Address } from '../kernel/rules/caller.ts';
import type { Day } from '../kernel/rules/dates.ts';
import type { PropertyId, TenantId } from '../kernel/rules/ids.ts';
import type { Minor } from '../kernel/rules/money.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { QuotedRate } from '../rates/rules/queries.ts';
import type { Strategy } from '../rates/rules/rate-plan.ts';
import type { PropertyRooms } from '../rooms/rules/arrange-rooms.ts';
import type { RoomAssignments } from '../rooms/rules/assign-rooms.ts';
import type { RoomConflict } from '../rooms/rules/room-conflicts.ts';
import type { AcceptedRate } from './rules/accepted-rate.ts';
import type { BidNight, BidPrices, BidsBefore } from './rules/bid-prices/bid-prices.ts';
import type { Displacement, BlockOfRooms } from './rules/bid-prices/group-displacement.ts';
import type { ChainEntry, ChainIndex, IndexedPosition } from './rules/chain-search/chain-index.ts';
import type { BusinessDay, ReportedStay, StayReport, TotalsIn } from './rules/day-reports.ts';
import type { DemandData, DemandModel, DemandSummary } from './rules/demand-learning/learn-demand.ts';
import type { EnsembleNights } from './rules/forecast/demand-forecast.ts';
import type { PropertyForecast, PropertyHistory } from './rules/forecast/property-forecast.ts';
import type { LiveRatesInput, LiveRateTables } from './rules/live-rates/live-tables.ts';
import type { Coverage, Metric, MetricType, NightAudit, OtbOfDay } from './rules/night-audit.ts';
import type { PriceExperiment, SwitchedDay } from './rules/price-experiments/price-experiment.ts';
import type { BooksMoved, SoldThrough } from './rules/sales-figures.ts';
import type { Objective, YieldAnswer, YieldConstraints, YieldPlan, YieldProblem } from './rules/yield-problem.ts';

/** A report as JSON. Its key is the same at each attempt, so that the receiver can ignore repeats. */
export type Push = { key: string; body: object };

/** The analytics service that receives reports (`ANALYTICS_URL`, docs/concepts/night-audit.md#push). */
export interface AnalyticsService extends BehindBreaker {
  push(push: Push, signal: AbortSignal): Promise<Delivery>;
}

const REPORT_TYPES = ['NIGHT_AUDIT'] as const;
type ReportType = (typeof REPORT_TYPES)[number];

/** A report of a property as stored. */
export type Report = {
  id: string;
  propertyId: PropertyId;
  type: ReportType;
  content: NightAudit;
  /** Journal rows that it was made from; absent in reports of earlier releases. */
  covers?: Coverage;
  completedAt: Instant;
  /** When the analytics service accepted it. */
  pushedAt?: Instant;
};

type NewReport = Pick<Report, 'id' | 'content' | 'covers'> & { metrics: readonly Metric[] };

/** Days are inclusive. */
export type ReportFilter = { propertyId: PropertyId; from?: Day; to?: Day };
export type MetricFilter = ReportFilter & { type?: MetricType };

/** A report that the analytics service has not accepted yet. */
export type UnpushedReport = Report & {
  /** Number of attempts. */
  attempts: number;
};

/** Result of pushing a report in the given state; the next attempt is due at `dueAt`. */
export type PushAttempt = Pick<Report, 'id' | 'completedAt'> &
  ({ pushedAt: Instant } | { attempts: number; dueAt: Instant });

/**
 * Figures and reports of a tenant (docs/concepts/night-audit.md#figures). No actor owns them: they are derived from the
 * journal.
 */
export interface Analytics {
  /**
   * Stores reports with their figures, all or none, each replacing an earlier one of the same type and date unless that
   * one has `covers`. A changed report is to be pushed again.
   */
  store(to: Address, ...reports: readonly NewReport[]): Promise<void>;
  find(tenantId: TenantId, id: string): Promise<Report | undefined>;
  /** Newest date first, before the date `before`. */
  list(
    tenantId: TenantId,
    filter: ReportFilter,
    limit: number,
    before?: Day,
  ): Promise<{ items: Report[]; next?: Day }>;
  /** Figures, newest date first, within a date by type, the property before its room types. */
  metrics(tenantId: TenantId, filter: MetricFilter, limit: number, after?: MetricPosition): Promise<MetricPage>;
  /** Reports whose push is due, oldest date first. */
  unpushed(tenantId: TenantId, now: Instant, limit: number): Promise<UnpushedReport[]>;
  /** Records an attempt, unless the report has been replaced meanwhile. */
  attempted(tenantId: TenantId, attempt: PushAttempt): Promise<void>;
}

/** Position of a figure in a list. */
export type MetricPosition = Pick<Metric, 'date' | 'type' | 'roomType'>;
type MetricPage = { items: Metric[]; next?: MetricPosition };

/** Rooms sold for a night between `starts[index]` and the next start; negative for cancelled ones. */
export type SoldChange = { index: number; night: Day; rooms: number };

export interface BookingHistory {
  /**
   * Rooms sold and cancelled by night from the journal, each summed over all room types. Sales before the first start
   * count as sold right after it. Those of another system count when they were made there.
   * @param starts ascending, at most some hundred
   * @param first night of imported stays that counts: what was before is no history of any use
   */
  changes(to: Address, starts: readonly Instant[], first: Day): Promise<SoldChange[]>;
  /** How many imports are over: each may have changed what was sold before. */
  imports(to: Address): Promise<number>;
}

/** What quotes and bookings of a property say about its guests (docs/concepts/forecast.md#learned-demand). */
export interface DemandRecords {
  /** Counted quotes and bookings of arrivals from a day on, and what the other properties of the tenant have learned. */
  read(to: Address, of: { timezone: string; from: Day; today: Day }): Promise<DemandData>;
  /** Replaces what the property has learned. */
  store(to: Address, on: Day, summary: DemandSummary): Promise<void>;
  /** Removes counted quotes of arrivals before a day. */
  forget(to: Address, before: Day): Promise<void>;
}

/** Jobs of each property once a business day. */
export const DAILY_JOBS = [
  'NO_SHOWS',
  'NIGHT_AUDIT',
  'LEARN_DEMAND',
  'OPTIMIZE_RATES',
  'SWITCH_RATES',
  'ASSIGN_ROOMS',
  'CHARGE_DUES',
] as const;
export type DailyJob = (typeof DAILY_JOBS)[number];

/** Jobs that wait until another job of the same run, listed before them, is done everywhere. */
export const DONE_AFTER: { readonly [J in DailyJob]?: DailyJob } = { NIGHT_AUDIT: 'NO_SHOWS' };

/** Missed dates for which a job is still done; the other jobs only run for the last date. */
export const DATES_RETAINED: { readonly [J in DailyJob]?: number } = { NIGHT_AUDIT: 7 };

/** The hour at which a job of some properties is due: only `kernel/rules/property-time.ts` reads time zones. */
export type DailyClock = {
  timezone: string;
  /** Null when the stored value is no hour. */
  hour: number | null;
  /** Some of the properties with this clock, for the log when it cannot be read. */
  properties?: readonly string[];
};

/** A clock with a valid hour. */
export type ReadableClock = DailyClock & { hour: number };

/** Completed daily jobs: a row per property, job and date, which survives restarts. */
export interface DailyJobs {
  /** The distinct clocks of a job in a tenant. */
  clocks(tenantId: TenantId, job: DailyJob): Promise<DailyClock[]>;
  /** Properties of a clock whose job is not done for a date; a page after `after`, in order of their ids. */
  due(tenantId: TenantId, job: DailyJob, clock: ReadableClock, date: Day, after?: string): Promise<string[]>;
  /** Dates before `date` within the retention of a job for which it is not done; newest first. */
  missed(
    tenantId: TenantId,
    job: DailyJob,
    clock: ReadableClock,
    date: Day,
  ): Promise<{ propertyId: PropertyId; date: Day }[]>;
  isDone(to: Address, job: DailyJob, date: Day): Promise<boolean>;
  /** Records that it is done. */
  done(to: Address, job: DailyJob, date: Day): Promise<void>;
  /** Removes records before a date. */
  forget(tenantId: TenantId, before: Day): Promise<void>;
}

/**
 * Figures of business days from journal, reservations and payments in one snapshot: `seen` is the newest journal row in
 * it.
 * @param dates in order: one, or several consecutive ones without rows
 * @param currency of the figures; money of other currencies is beside them
 */
export type OtbByDay = (
  to: Address,
  rows: RowsOfDate,
  dates: readonly Day[],
  currency: string,
) => Promise<{ seen: number; books: OtbOfDay[] }>;

/** A date to be listed, with its bounds, as of a business date. */
export type ListedDay = BusinessDay & { businessDate: Day };

/**
 * A page of a list of stays that a hotel prints (docs/concepts/night-audit.md#reports-of-a-day), with the totals of all
 * of it by currency, in one snapshot.
 * @param after id of the last stay of the page before
 */
export type DayReports = (
  to: Address,
  report: StayReport,
  day: ListedDay,
  limit: number,
  after?: string,
) => Promise<{ items: ReportedStay[]; totals: TotalsIn[]; next?: string }>;

/** Folder for packs that a front desk uses when everything is down (docs/guide/backup.md#contingency-pack). */
export interface ContingencyFolder {
  /** Writes a pack atomically; replaces the oldest one of the property when there are enough. */
  store(to: Address, at: Instant, text: string): Promise<void>;
  /** When the newest pack of each property was made, by `addressKey`. */
  newest(): Promise<ReadonlyMap<string, Instant>>;
  /** Removes packs of deleted properties. */
  sweep(now: Instant): Promise<void>;
}

const OPTIMIZATION_STATUSES = ['RUNNING', 'COMPLETED', 'FAILED'] as const;
type OptimizationStatus = (typeof OPTIMIZATION_STATUSES)[number];

/** An optimization request (docs/reference/rates.md#optimization). */
export type OptimizationRequest = {
  start: Day;
  end: Day;
  objective: Objective;
  constraints: YieldConstraints;
  strategy: Strategy;
};

/** State of an optimization. */
export type Optimization = {
  id: string;
  propertyId: PropertyId;
  status: OptimizationStatus;
  /** Percent. */
  progress: number;
  request: OptimizationRequest;
  plan?: YieldPlan;
  /** Why it FAILED. */
  error?: string;
  createdAt: Instant;
};

/** Recommended rates that were accepted, of a property. */
export interface AcceptedRates {
  /** One that is recorded already stays as it is. */
  record(to: Address, accepted: readonly AcceptedRate[]): Promise<void>;
  /** Of the nights of both days inclusive, newest first, at most some thousands. */
  ofNights(to: Address, start: Day, end: Day): Promise<AcceptedRate[]>;
  /** Accepted from an instant on. */
  since(to: Address, instant: Instant): Promise<AcceptedRate[]>;
}

/** Room nights and their revenue that were booked on a day of sale; `index` as in the question. */
export type BookedOfDay = { index: number; rooms: number; revenue: Minor };

/** Rates that are tried on drawn days, of a property. */
export interface PriceExperiments {
  /** @throws DomainError ALREADY_EXISTS while another one of the property runs */
  create(by: By, one: PriceExperiment, key?: RequestKey): Promise<Done<{ id: string }>>;
  /** @throws DomainError INVALID_STATE when it has ended */
  end(by: By, id: string, how: EndOfExperiment, key?: RequestKey): Promise<Done<{ id: string }>>;
  /** A day on which its rates were switched; nothing where it has ended. */
  switched(to: Address, id: string, day: SwitchedDay): Promise<void>;
  find(tenantId: TenantId, id: string): Promise<PriceExperiment | undefined>;
  /** Newest first, at most 100. */
  list(to: Address): Promise<PriceExperiment[]>;
  running(to: Address): Promise<PriceExperiment | undefined>;
  /** What stands of the bookings in a currency between each two starts; a day without any is left out. */
  booked(to: Address, starts: readonly Instant[], currency: string): Promise<BookedOfDay[]>;
}

export type EndOfExperiment = {
  status: Exclude<PriceExperiment['status'], 'RUNNING'>;
  reason?: PriceExperiment['stopReason'];
};

/** Optimizations of a tenant; each completed run and each implement leaves a row of history. */
export interface Optimizations {
  /** Replaces an older one with its id. Requests of users are written to the administration journal. */
  insert(tenantId: TenantId, one: Optimization, by?: By): Promise<void>;
  /** Progress of a RUNNING one, or its outcome. */
  update(
    tenantId: TenantId,
    id: string,
    change: Partial<Pick<Optimization, 'status' | 'progress' | 'plan' | 'error'>>,
  ): Promise<void>;
  find(tenantId: TenantId, id: string): Promise<Optimization | undefined>;
  /** RUNNING optimizations requested before an instant, oldest first. */
  running(tenantId: TenantId, before: Instant, limit: number): Promise<string[]>;
  /** Newest first. */
  list(tenantId: TenantId, propertyId: PropertyId, limit: number, after?: PagePosition): Promise<Page<Optimization>>;
  /** `what` is RUN or IMPLEMENT. */
  note(tenantId: TenantId, one: Optimization, what: 'RUN' | 'IMPLEMENT', on: Day): Promise<void>;
}

/** Rooms of a type sold on a night, and their revenue: rates without taxes and fees. */
export type SoldNight = { roomType: string; day: Day; rooms: number; revenue: Minor };

/**
 * Revenue of the sold nights of a property, from the reservations. Both days are inclusive; nights without sales,
 * complimentary ones and those that were sold in another currency are left out.
 */
export type SoldRevenue = (to: Address, start: Day, end: Day) => Promise<SoldNight[]>;

/** A property of a tenant, and where its journal stands; removed ones have no property. */
export type ListedPosition = IndexedPosition & { propertyId: PropertyId; isThere: boolean };

/** Journals of all properties of a tenant, for searches (docs/concepts/chain-search.md#following). */
export interface ChainJournals {
  /** Positions of all properties, or of those with a commit since an instant. */
  positions(tenantId: TenantId, since?: Instant): Promise<ListedPosition[]>;
  /**
   * Entries after the given ones, in order by property.
   * @param limit of one property; one that has more gets as many and one
   */
  entries(
    tenantId: TenantId,
    after: readonly { propertyId: PropertyId; seq: number }[],
    limit: number,
  ): Promise<(ChainEntry & { propertyId: PropertyId })[]>;
}

/** The properties of a tenant as they were at `asOf`, or later. */
export type ChainModel = {
  readonly index: ChainIndex;
  readonly asOf: Instant;
  /** Committed states that know the given nights, both inclusive; unknown ids are left out. */
  views(propertyIds: readonly PropertyId[], nights: { first: Day; last: Day }): Promise<PropertyView[]>;
  /** What earlier searches have found, by property, room type and stay. */
  readonly found: { get(key: string): FoundRate | undefined; set(key: string, found: FoundRate): unknown };
};

/** The cheapest rate of a room type for a stay, if it has any, while nothing that it follows from changes. */
export type FoundRate = { stand: string; rate?: QuotedRate };

/** Models of tenants, built at their first search and dropped when nobody searches. */
export interface ChainModels {
  /** @throws DomainError NOT_EXECUTED while the model is being built, STALE when it is too old */
  model(tenantId: TenantId): Promise<ChainModel>;
}

/** How the nights of a property are sold, from its reservations; both nights are inclusive, at most some months. */
export interface SalesFigures {
  /**
   * What came on the books and left them, by business date.
   * @param first business date that begins at `starts[0]`; what moved earlier is on the date before it
   */
  moves(to: Address, nights: { from: Day; to: Day }, first: Day, starts: readonly Instant[]): Promise<BooksMoved[]>;
  /** Sold room nights by each segment, with the revenue in this currency. */
  mix(
    to: Address,
    nights: { from: Day; to: Day },
    of: { timezone: string; currency: string },
  ): Promise<SoldThrough[]>;
}

/** Pure, heavy computations that would block the event loop, by name. Input and output are plain data. */
export type Tasks = {
  arrangeArrivals: {
    input: PropertyRooms & { last: Day; better: Record<string, string[]> };
    output: RoomAssignments;
  };
  bidPrices: { input: { nights: readonly BidNight[]; before?: BidsBefore }; output: BidPrices };
  findConflicts: { input: PropertyRooms; output: RoomConflict[] };
  foldJournal: { input: Fold; output: Folded };
  forecastByEnsemble: { input: PropertyHistory; output: EnsembleNights };
  forecastProperty: { input: PropertyHistory; output: PropertyForecast };
  groupDisplacement: { input: { nights: readonly BidNight[]; block: BlockOfRooms }; output: Displacement };
  liveTables: { input: LiveRatesInput; output: LiveRateTables };
  learnDemand: { input: DemandData; output: { model: DemandModel; summary: DemandSummary } };
  optimizeYield: { input: YieldProblem; output: YieldAnswer };
};

/** Runs heavy computations outside the event loop. */
export interface Computer {
  /**
   * @param onProgress called now and then with the percentage of a long task
   * @throws DomainError NOT_EXECUTED when too many tasks wait
   */
  run<T extends keyof Tasks>(
    task: T,
    input: Tasks[T]['input'],
    onProgress?: (percent: number) => void,
  ): Promise<Tasks[T]['output']>;
}
