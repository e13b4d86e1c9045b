import type { RowsOfDate } from '../history/rules/rows-of-date.ts';
import type { BehindBreaker, Delivery, Page, PagePosition } from '../kernel/ports.ts';
import type { By } from '../kernel/rules/administration.ts';
import type { Address } from '../kernel/rules/caller.ts';
import type { Day } from '../kernel/rules/dates.ts';
import type { PropertyId, TenantId } from '../kernel/rules/ids.ts';
import type { Minor } from '../kernel/rules/money.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { Strategy } from '../rates/rules/rate-plan.ts';
import type { BusinessDay, ReportedStay, StayReport, StayTotals } from './rules/day-reports.ts';
import type { Coverage, Metric, MetricType, NightAudit, OtbOfDay } from './rules/night-audit.ts';
import type { Objective, YieldConstraints, YieldPlan } from './rules/yield-problem.ts';

/** A report on its way, as JSON. The same report has the same key at each try: who gets it twice has it once. */
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
  /** What it was made of; absent in those of earlier releases. */
  covers?: Coverage;
  completedAt: Instant;
  /** When the analytics service took it. */
  pushedAt?: Instant;
};

/** A report to be kept. */
type NewReport = Pick<Report, 'id' | 'content' | 'covers'> & { metrics: readonly Metric[] };

/** Days are inclusive. */
export type ReportFilter = { propertyId: PropertyId; from?: Day; to?: Day };
export type MetricFilter = ReportFilter & { type?: MetricType };

/** A report that the analytics service has not taken yet. */
export type UnpushedReport = Report & {
  /** How often it was tried. */
  attempts: number;
};

/** What came of a try of a report as it was then; the next one is due at `dueAt`. */
export type PushAttempt = Pick<Report, 'id' | 'completedAt'> &
  ({ pushedAt: Instant } | { attempts: number; dueAt: Instant });

/**
 * Figures and reports of a tenant (docs/concepts/night-audit.md#figures): no actor owns them, they follow from what
 * actors wrote.
 */
export interface Analytics {
  /**
   * Keeps reports with their figures, all or none, each in the place of an earlier one of the same type and date, unless
   * that says what it covers. What says something else than before is to be pushed again.
   */
  keep(to: Address, ...reports: readonly NewReport[]): Promise<void>;
  find(tenantId: TenantId, id: string): Promise<Report | undefined>;
  /** Newest date first, those before the date `before`. */
  list(
    tenantId: TenantId,
    filter: ReportFilter,
    limit: number,
    before?: Day,
  ): Promise<{ items: Report[]; next?: Day }>;
  /** The same of figures, within a date by type, the property before its room types. */
  metrics(tenantId: TenantId, filter: MetricFilter, limit: number, after?: MetricPosition): Promise<MetricPage>;
  /** Reports whose push is due, oldest date first. */
  unpushed(tenantId: TenantId, now: Instant, limit: number): Promise<UnpushedReport[]>;
  /** Notes it, unless the report has been replaced meanwhile. */
  attempted(tenantId: TenantId, attempt: PushAttempt): Promise<void>;
}

/** A figure's place in a list. */
export type MetricPosition = Pick<Metric, 'date' | 'type' | 'roomType'>;
type MetricPage = { items: Metric[]; next?: MetricPosition };

/** Between `starts[index]` and the next of them so many rooms were sold for a night; below 0, called off. */
export type SoldChange = { index: number; night: Day; rooms: number };

/** What the journal knows of when nights were sold. */
export interface BookingHistory {
  /**
   * What was sold and what was called off, each in one sum, over all room types. What was sold before the first start
   * counts as sold right after it.
   * @param starts ascending, at most some hundred
   */
  read(to: Address, starts: readonly Instant[]): Promise<SoldChange[]>;
}

/** What is done for each property once a business day. */
export const DAILY_JOBS = ['NO_SHOWS', 'NIGHT_AUDIT', 'OPTIMIZE_RATES', 'ASSIGN_ROOMS', 'CHARGE_DUES'] as const;
export type DailyJob = (typeof DAILY_JOBS)[number];

/** Who waits until another job of the same look has been done everywhere; that one stands before it in the list. */
export const DONE_AFTER: { readonly [J in DailyJob]?: DailyJob } = { NIGHT_AUDIT: 'NO_SHOWS' };

/** Of how many dates a job is done when nobody looked for days; of the others only the last one. */
export const DATES_RETAINED: { readonly [J in DailyJob]?: number } = { NIGHT_AUDIT: 7 };

/** The hour at which a job of some properties is due: zones are read by `domain/property-time.ts` alone. */
export type DailyClock = {
  timezone: string;
  /** Null where what stands in the property is no hour. */
  hour: number | null;
  /** Some of the properties that go by it, for naming a clock that cannot be read. */
  properties?: readonly string[];
};

/** One whose hour is known. */
export type ReadableClock = DailyClock & { hour: number };

/** Which daily jobs have been done: a row per property, job and date, which survives everything. */
export interface DailyJobs {
  /** The clocks by which a job is due at properties of a tenant, each once. */
  clocks(tenantId: TenantId, job: DailyJob): Promise<DailyClock[]>;
  /** Properties of a clock whose job has not been done for a date; a page behind `after`, in order of their ids. */
  due(tenantId: TenantId, job: DailyJob, clock: ReadableClock, date: Day, after?: string): Promise<string[]>;
  /**
   * Of the dates before `date`, as many as are retained of a job, those for which it has not been done; newest first.
   */
  missed(
    tenantId: TenantId,
    job: DailyJob,
    clock: ReadableClock,
    date: Day,
  ): Promise<{ propertyId: PropertyId; date: Day }[]>;
  isDone(to: Address, job: DailyJob, date: Day): Promise<boolean>;
  /** Notes that it has been done. */
  done(to: Address, job: DailyJob, date: Day): Promise<void>;
  /** Forgets what was done before a date. */
  forget(tenantId: TenantId, before: Day): Promise<void>;
}

/** What journal, reservations and payments say of a business day. */
export interface OtbByDay {
  /**
   * All of it as of one moment: `seen` is the newest row of the journal then.
   * @param dates in order: one, or some that were passed over one after the other
   */
  read(to: Address, rows: RowsOfDate, dates: readonly Day[]): Promise<{ seen: number; books: OtbOfDay[] }>;
}

/** A date to be listed, with its bounds, as of a business date. */
export type ListedDay = BusinessDay & { businessDate: Day };

/** Lists of stays that a hotel prints (docs/concepts/night-audit.md#reports-of-a-day). */
export interface DayReports {
  /**
   * A page of a list and what all of it comes to, as of one moment.
   * @param after id of the last stay of the page before
   */
  read(
    to: Address,
    report: StayReport,
    day: ListedDay,
    limit: number,
    after?: string,
  ): Promise<{ items: ReportedStay[]; totals: StayTotals; next?: string }>;
}

/** Where packs lie for the day when everything is down (docs/guide/backup.md#contingency-pack). */
export interface ContingencyFolder {
  /** Whole or not at all; takes the place of the oldest one of the property, where there are enough. */
  store(to: Address, at: Instant, text: string): Promise<void>;
  /** Forgets those of properties that are gone. */
  sweep(now: Instant): Promise<void>;
}

const OPTIMIZATION_STATUSES = ['RUNNING', 'COMPLETED', 'FAILED'] as const;
type OptimizationStatus = (typeof OPTIMIZATION_STATUSES)[number];

/** The request (docs/reference/rates.md#optimization). */
export type OptimizationRequest = {
  start: Day;
  end: Day;
  objective: Objective;
  constraints: YieldConstraints;
  strategy: Strategy;
};

/** An optimization as it stands. */
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

/** Optimizations of a tenant; each completed run and each implement leaves a row of history. */
export interface Optimizations {
  /** In the place of an older one with its id. What a user requested is noted in the administration journal. */
  insert(tenantId: TenantId, one: Optimization, by?: By): Promise<void>;
  /** How far a RUNNING one is, or how it ended. */
  update(
    tenantId: TenantId,
    id: string,
    change: Partial<Pick<Optimization, 'status' | 'progress' | 'plan' | 'error'>>,
  ): Promise<void>;
  find(tenantId: TenantId, id: string): Promise<Optimization | undefined>;
  /** Of those RUNNING that were requested before then, at most so many, the oldest first. */
  running(tenantId: TenantId, before: Instant, limit: number): Promise<string[]>;
  /** Newest first. */
  list(tenantId: TenantId, propertyId: PropertyId, limit: number, after?: PagePosition): Promise<Page<Optimization>>;
  /** `what` is RUN or IMPLEMENT. */
  note(tenantId: TenantId, one: Optimization, what: 'RUN' | 'IMPLEMENT', on: Day): Promise<void>;
}

/** Rooms of a type that are sold on a night, and what they bring: rates without taxes and fees. */
export type SoldNight = { roomType: string; day: Day; rooms: number; revenue: Minor };

/** What the nights of a property have been sold for, from the reservations; complimentary ones are not sold. */
export interface SoldRevenue {
  /** Both days inclusive; nights on which nothing is sold are absent. */
  read(to: Address, start: Day, end: Day): Promise<SoldNight[]>;
}
