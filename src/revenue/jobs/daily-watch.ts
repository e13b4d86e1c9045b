import { ItemRunner } from '../../kernel/operations/item-runner.ts';
import type { AdvisoryLock, Clock, Log } from '../../kernel/ports.ts';
import { type Address, addressKey } from '../../kernel/rules/caller.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import { businessDate } from '../../kernel/rules/property-time.ts';
import { SingleFlight } from '../../platform/jobs/single-flight.ts';
import type { TenantStore } from '../../tenants/ports.ts';
import {
  DAILY_JOBS,
  type DailyClock,
  type DailyJob,
  type DailyJobs,
  DATES_RETAINED,
  DONE_AFTER,
  type ReadableClock,
} from '../ports.ts';

/** Retention of completed jobs: no run looks for an older date. */
const REMEMBERED_DAYS = 40;

type Options = {
  tenants: TenantStore;
  daily: DailyJobs;
  clock: Clock;
  log: Log;
  alone: AdvisoryLock;
  each?: ItemRunner;
  /**
   * Does the job and returns whether it is done: of a long one it does a part, and continues in the next run. It may
   * run twice when a process dies, and has to tolerate that.
   */
  work: Record<DailyJob, (to: Address, date: Day) => Promise<boolean | void>>;
  /** Called after each property, successful or not: a run over many properties takes long without being stuck. */
  progressed?(): void;
};

/**
 * Runs due jobs for each property once a business day, at its own local hour. Several nodes share a round by locks: a
 * tenant, a clock or a property that fails is logged and retried in a later run, and does not delay the others.
 */
export class DailyWatch {
  readonly #options: Options;
  readonly #each: ItemRunner;
  readonly #looks = new SingleFlight(() => this.#look());

  constructor(options: Options) {
    this.#options = options;
    this.#each = options.each ?? ItemRunner.uncounted(options.log);
  }

  /** Runs due jobs; joins a run in progress. */
  look(): Promise<void> {
    return this.#looks.look();
  }

  /** Runs due jobs again after a clock was put forward. */
  lookAgain(): Promise<void> {
    this.#each.wake();
    return this.#looks.lookAgain();
  }

  async #look(): Promise<void> {
    const tenants = await this.#options.tenants.running();
    const all = new Map<DailyJob, Promise<void>>();
    const ofAll = async (job: DailyJob): Promise<void> => {
      const first = DONE_AFTER[job];
      if (first !== undefined) await all.get(first);
      for (const tenantId of tenants)
        await this.#each.one(`${tenantId} ${job}`, () =>
          this.#ofEachClock(tenantId, job, (local, date) => this.#due(tenantId, job, local, date)),
        );
    };
    for (const job of DAILY_JOBS) all.set(job, ofAll(job));
    const results = await Promise.allSettled(all.values());
    for (const end of results) if (end.status === 'rejected') throw end.reason;
  }

  /**
   * Catches up on earlier dates, a page of a clock's properties at a time, so that the day that has just begun is not
   * delayed.
   */
  async makeUp(): Promise<void> {
    const { tenants, daily } = this.#options;
    const jobs = DAILY_JOBS.filter((job) => DATES_RETAINED[job] !== undefined);
    for (const tenantId of await tenants.running())
      for (const job of jobs)
        await this.#each.one(`${tenantId} missed ${job}`, () =>
          this.#ofEachClock(tenantId, job, async (local, date) => {
            for (const missed of await daily.missed(tenantId, job, local, date))
              await this.#do({ tenantId, propertyId: missed.propertyId }, job, missed.date);
          }),
        );
  }

  /** A property may have an invalid clock: it is logged, and the others continue. */
  async #ofEachClock(
    tenantId: TenantId,
    job: DailyJob,
    work: (clock: ReadableClock, date: Day) => Promise<void>,
  ): Promise<void> {
    const { daily, clock } = this.#options;
    for (const local of await daily.clocks(tenantId, job))
      await this.#each.one(`${tenantId}/${(local.properties ?? []).join(',')} clock of ${job}`, async () => {
        if (!isReadable(local)) throw new Error('its hour cannot be read');
        await work(local, businessDate(clock.now(), { timezone: local.timezone, nightAuditHour: local.hour }));
      });
  }

  async #due(tenantId: TenantId, job: DailyJob, local: ReadableClock, date: Day): Promise<void> {
    const { daily } = this.#options;
    for (let after: string | undefined; ;) {
      const page = await daily.due(tenantId, job, local, date, after);
      for (const propertyId of page) await this.#do({ tenantId, propertyId }, job, date);
      after = page.at(-1);
      if (after === undefined) break;
    }
    await daily.forget(tenantId, date - REMEMBERED_DAYS);
  }

  async #do(to: Address, job: DailyJob, date: Day): Promise<void> {
    const { daily, alone, work } = this.#options;
    await this.#each.one(`${to.tenantId}/${to.propertyId} ${job}`, () =>
      alone(`${job} ${addressKey(to)}`, async () => {
        // Another node may have done it since the query.
        if (await daily.isDone(to, job, date)) return;
        const isDone = (await work[job](to, date)) ?? true;
        if (isDone) await daily.done(to, job, date);
      }),
    );
    this.#looks.progressed();
    this.#options.progressed?.();
  }
}

const isReadable = (clock: DailyClock): clock is ReadableClock => clock.hour !== null;
