import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';

import { seedCompanies } from '../../demo/operations/seed-plans.ts';
import type { DemoState, DemoStates } from '../../demo/ports.ts';
import { DEMO_PROPERTIES, type DemoProperty } from '../../demo/rules/hotels.ts';
import type { DemoPace } from '../../demo/rules/pace.ts';
import { deferAudits, writeOldPart, writeRecentPast } from '../../demo/storage/write-past.ts';
import { ownRequestId } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { AdvisoryLock, Log } from '../../kernel/ports.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import { businessDate } from '../../kernel/rules/property-time.ts';
import { connect, type ConnectOptions } from '../../platform/database/connection.ts';
import { DEFAULT_POLICIES } from '../../properties/rules/property.ts';
import { nightAudit } from '../../revenue/operations/night-audit.ts';
import { analyzeTables } from './analyze-tables.ts';
import { DEMO_DAYS, DEMO_SEED, orderOf } from './demo-order.ts';
import type { EarlyPasts } from './early-pasts.ts';
import type { PastDays, PastOrder } from './past-order.ts';
import { PastThread } from './past-thread.ts';

const { nightAuditHour } = DEFAULT_POLICIES;

/** Pause before a part that failed is tried again; each following one is twice as long, up to the longest. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;
const MAX_ATTEMPTS = 20;

/** Parts after which statistics of the tables are gathered. */
const ANALYZED_PARTS = 6;

type Options = {
  services: Services;
  states: DemoStates;
  nodeId: string;
  secretKeys: PastOrder['secretKeys'];
  /** Login of innkeeper_app. */
  databaseUrl: string;
  /** Login of the owner of the tables. */
  ownerUrl: string;
  Client?: ConnectOptions['Client'];
  /** Connection as innkeeper_system. */
  system(): Promise<Client>;
  pace: DemoPace;
  /** Lets one node at a time write. */
  alone: AdvisoryLock;
  days?: PastDays;
  /** What was played already while the database was migrated. */
  early?: EarlyPasts;
  /** Called once the past of a property is complete: its forecast has something to learn from. */
  onComplete?(to: Address): Promise<void>;
  /** Those of the demo. */
  properties?: readonly DemoProperty[];
  log: Log;
};

/**
 * Gives the properties of the demo a past and a year on the books (docs/concepts/demo.md#how-the-past-is-written):
 * what the first screens need at once, the older past part by part behind it. A part is one transaction with its mark,
 * so that a start after a kill goes on where it was.
 */
export class LivingDemo implements AsyncDisposable {
  readonly #options: Options;
  readonly #days: PastDays;
  readonly #properties: readonly DemoProperty[];
  readonly #progress = new Map<string, string>();
  readonly #threads = new Map<string, PastThread>();
  #running: Promise<void> = Promise.resolve();
  readonly #ended = new AbortController();

  constructor(options: Options) {
    this.#options = options;
    this.#days = options.days ?? DEMO_DAYS;
    this.#properties = options.properties ?? DEMO_PROPERTIES;
  }

  /** What is being written of each property whose past is not complete, for health. */
  get progress(): Record<string, string> {
    return Object.fromEntries(this.#progress);
  }

  /** Writes the properties that are absent, and begins with their older past. */
  async begin(): Promise<void> {
    const { states, services } = this.#options;
    const living = this.#properties.filter(({ market }) => market !== undefined);
    const tenants = [...new Set(living.map(({ tenantId }) => tenantId))];
    const known = (await Promise.all(tenants.map((tenantId) => states.of(tenantId)))).flat();
    const isKnown = (to: Address): boolean => known.some((one) => one.propertyId === to.propertyId);
    const fresh: Address[] = [];
    for (const { tenantId, propertyId } of living)
      if (!isKnown({ tenantId, propertyId }) && !(await this.#exists({ tenantId, propertyId })))
        fresh.push({ tenantId, propertyId });
    if (fresh.length > 0) {
      for (const tenantId of tenants) await seedCompanies(services, callerOf(tenantId));
      await this.#makeMonths();
      await Promise.all(fresh.map((to) => this.#writeRecent(to)));
    }
    const all = (await Promise.all(tenants.map((tenantId) => states.of(tenantId)))).flat();
    const open = all.filter(({ partsDone, parts }) => partsDone < parts);
    await this.#deferAudits(open);
    for (const state of open) this.#progress.set(state.propertyId, `part ${state.partsDone} of ${state.parts}`);
    this.#running = this.#options.alone('past of the demo', () => this.#complete(open)).then(() => undefined);
  }

  /** Waits until the past is complete, or could not be completed. */
  async completed(): Promise<void> {
    await this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await Promise.all([...this.#threads.values()].map((thread) => thread[Symbol.asyncDispose]()));
    await this.#running;
  }

  async #exists({ tenantId, propertyId }: Address): Promise<boolean> {
    const { propertyReader, properties } = this.#options.services;
    if (await propertyReader.isRemoved({ tenantId, propertyId })) return true;
    return properties.view({ tenantId, propertyId }).then(
      () => true,
      (error: { code?: string }) => {
        if (error.code !== 'PROPERTY_NOT_FOUND') throw error;
        return false;
      },
    );
  }

  async #makeMonths(): Promise<void> {
    const first = Math.floor(this.#options.services.clock.now() / 86_400_000) - this.#days.journal - 2;
    const client = await this.#options.system();
    await client.query('select system.make_journal_months_v1($1)', [formatDay(first)]);
  }

  async #writeRecent(to: Address): Promise<void> {
    const { services, nodeId, pace, log } = this.#options;
    const began = performance.now();
    const early = this.#options.early?.take(to.propertyId);
    if (early) this.#threads.set(to.propertyId, early.thread);
    const now = early?.order.now ?? services.clock.now();
    const recent = await (early?.recent ?? this.#threadOf(await this.#orderOf(to, DEMO_SEED, now)).recent());
    const { parts } = recent;
    const state = { ...to, seed: DEMO_SEED, beganAt: now, parts, pace };
    const played = performance.now();
    const isWritten = await this.#withClient((client) => writeRecentPast(client, state, nodeId, recent));
    const [playedMs, writtenMs] = [played - began, performance.now() - played].map(Math.round);
    if (isWritten) log.info({ propertyId: to.propertyId, playedMs, writtenMs }, 'a property of the demo has a past');
  }

  async #orderOf(to: Address, seed: number, now: number): Promise<PastOrder> {
    const { services, secretKeys } = this.#options;
    const policies = await services.settings.policies(to.tenantId);
    return orderOf(this.#propertyOf(to), { seed, now, days: this.#days, secretKeys, policies });
  }

  #propertyOf(to: Address): DemoProperty {
    return this.#properties.find((one) => one.tenantId === to.tenantId && one.propertyId === to.propertyId)!;
  }

  #threadOf(order: PastOrder): PastThread {
    const thread = new PastThread(order);
    this.#threads.set(order.to.propertyId, thread);
    return thread;
  }

  async #deferAudits(open: readonly DemoState[]): Promise<void> {
    if (open.length === 0) return;
    await this.#withClient(async (client) => {
      for (const state of open) await deferAudits(client, state, this.#today(state));
    });
  }

  #today(to: Address): Day {
    const { timezone } = this.#propertyOf(to);
    return businessDate(this.#options.services.clock.now(), { timezone, nightAuditHour });
  }

  /** One property after the other: two threads would leave no processor to the service. */
  async #complete(open: readonly DemoState[]): Promise<void> {
    if (open.length > 0) await this.#analyze().catch(() => undefined);
    for (const state of open) {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS && !this.#ended.signal.aborted; attempt++) {
        try {
          await this.#completeOne(state);
          break;
        } catch (error) {
          if (this.#ended.signal.aborted) return;
          this.#options.log.warn({ attempt, err: error }, 'a part of the past of the demo is tried again');
          await this.#endThread(state);
          await this.#pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)));
        }
      }
      await this.#endThread(state);
    }
  }

  async #endThread({ propertyId }: Address): Promise<void> {
    const thread = this.#threads.get(propertyId);
    this.#threads.delete(propertyId);
    await thread?.[Symbol.asyncDispose]();
  }

  async #completeOne(to: DemoState): Promise<void> {
    const states = await this.#options.states.of(to.tenantId);
    const now = states.find(({ propertyId }) => propertyId === to.propertyId);
    const { seed, beganAt, partsDone, parts } = now!;
    // After a failure the thread may be gone.
    const thread = this.#threads.get(to.propertyId) ?? this.#threadOf(await this.#orderOf(to, seed, beganAt));
    for (;;) {
      const part = await thread.next(partsDone);
      if (!part || this.#ended.signal.aborted) break;
      await this.#withClient((client) => writeOldPart(client, to, part.n, part.values));
      this.#progress.set(to.propertyId, `part ${part.n + 1} of ${parts}`);
      if (part.n % ANALYZED_PARTS === 0) await this.#analyze();
      await this.#audit(to, part.known);
    }
    await this.#analyze();
    if (this.#ended.signal.aborted) return;
    await this.#audit(to, this.#today(to));
    this.#progress.delete(to.propertyId);
    await this.#options.onComplete?.(to);
  }

  /** Makes the night audits before a date that are missing, some at a time. */
  async #audit(to: Address, rolled: Day): Promise<void> {
    const { services } = this.#options;
    const first = this.#today(to) - this.#days.journal;
    if (rolled <= first + 1) return;
    while (!this.#ended.signal.aborted && !(await nightAudit(services, to, rolled)));
  }

  #analyze(): Promise<void> {
    return analyzeTables(this.#options.ownerUrl, this.#options.Client);
  }

  async #withClient<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const { databaseUrl, Client: Kind } = this.#options;
    const client = await connect(databaseUrl, 'innkeeper_app', { answerWithinMs: 0, ...(Kind && { Client: Kind }) });
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  /** Ends early with this. */
  async #pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#ended.signal }).catch(() => undefined);
  }
}

function callerOf(tenantId: string): Caller {
  return { tenantId, subject: 'demo-data', role: 'OWNER', requestId: ownRequestId() };
}
