import type { Address } from '../domain/caller.ts';
import type { Day } from '../domain/dates.ts';

/** What is done for each property once a business day. */
export const DAILY_JOBS = ['NO_SHOWS', 'NIGHT_AUDIT', 'OPTIMIZE_RATES', 'ASSIGN_ROOMS'] as const;
export type DailyJob = (typeof DAILY_JOBS)[number];

/** Who waits until another job of the same look has been done everywhere; that one stands before it in the list. */
export const DONE_AFTER: { readonly [J in DailyJob]?: DailyJob } = { NIGHT_AUDIT: 'NO_SHOWS' };

/** Of how many dates a job is done when nobody looked for days; of the others only the last one. */
export const DATES_KEPT: { readonly [J in DailyJob]?: number } = { NIGHT_AUDIT: 7 };

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
  clocks(tenantId: string, job: DailyJob): Promise<DailyClock[]>;
  /** Properties of a clock whose job has not been done for a date; a page behind `after`, in order of their ids. */
  due(tenantId: string, job: DailyJob, clock: ReadableClock, date: Day, after?: string): Promise<string[]>;
  /** Of the dates before `date`, as many as are kept of a job, those for which it has not been done; newest first. */
  missed(
    tenantId: string,
    job: DailyJob,
    clock: ReadableClock,
    date: Day,
  ): Promise<{ propertyId: string; date: Day }[]>;
  isDone(to: Address, job: DailyJob, date: Day): Promise<boolean>;
  /** Notes that it has been done. */
  done(to: Address, job: DailyJob, date: Day): Promise<void>;
  /** Forgets what was done before a date. */
  forget(tenantId: string, before: Day): Promise<void>;
}
