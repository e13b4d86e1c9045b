import { randomInt, randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { v7 as uuidv7 } from 'uuid';

import { ownRequestId, sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Log } from '../../kernel/ports.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { isSandbox, sandboxIdOf } from '../../kernel/rules/sandbox-id.ts';
import { connect, type ConnectOptions } from '../../platform/database/connection.ts';
import { nightAudit } from '../../revenue/operations/night-audit.ts';
import type { Sandbox, Sandboxes, SandboxRun, SandboxStore } from '../../sandbox/ports.ts';
import { plansOfWays } from '../../sandbox/rules/invented-market.ts';
import {
  copyCommands,
  type CopiedProperty,
  daysOfPast,
  inventedProperty,
} from '../../sandbox/rules/invented-property.ts';
import { writeSandbox } from '../../sandbox/storage/write-sandbox.ts';
import { analyzeTables } from './analyze-tables.ts';
import type { PastOrder, PlayedBatch } from './past-order.ts';
import { PastThread } from './past-thread.ts';

const ALIVE_MS = 5_000;
/** How much of the work is done once the past is written. */
const WRITTEN_PERCENT = 95;
/** Attempts to make months of the journal, which wait for a lock on it. */
const MONTH_ATTEMPTS = 5;
/** Numbers that are tried: somebody may own a property with such an id since an earlier release. */
const MAX_NUMBERS = 20;
/** Calls that make audits, each of at most 31 dates: more than a year has. */
const MAX_AUDITS = 20;
/**
 * First number of stays and guests: those of two sandboxes are apart, and those of the demo below. An id has room for
 * four times the number in 32 bits (`demoId`).
 */
const OFFSETS = { unit: 1_000_000, from: 100, to: 1_000 };
const DAY_MS = 86_400_000;

type Options = {
  services: Services;
  store: SandboxStore;
  nodeId: string;
  secretKeys: PastOrder['secretKeys'];
  /** Login of innkeeper_app. */
  databaseUrl: string;
  /** Login of the owner of the tables. */
  ownerUrl: string;
  Client?: ConnectOptions['Client'];
  /** Connection as innkeeper_system. */
  system(): Promise<Client>;
  /** Called once it is complete: its forecast has something to learn from. */
  onComplete?(to: Address): Promise<void>;
  log: Log;
};

/** Another run has taken over, or the service ends: nothing more is written. */
class RunEnded extends Error {}

/**
 * Makes sandboxes and throws them away, one after the other, behind the answer. Who is at work says so in the database:
 * a run that was killed is replaced by the next request (docs/concepts/sandbox.md#how-the-year-is-written).
 */
export class SandboxRunner implements Sandboxes, AsyncDisposable {
  readonly #options: Options;
  readonly #ended = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(options: Options) {
    this.#options = options;
  }

  async of(to: Address): Promise<Sandbox> {
    const { services, store } = this.#options;
    const stored = await store.of(to);
    // Without a row nobody knows yet whether the property exists.
    if (!stored) await services.properties.view(to);
    if (!stored || stored.state === 'NONE') return { state: 'NONE', percent: 0 };
    const { sandboxId, percent, isStale, isThere } = stored;
    if (stored.state === 'READY') return { state: isThere ? 'READY' : 'STOPPED', sandboxId, percent };
    const state = stored.state === 'FAILED' || isStale ? 'STOPPED' : stored.state;
    return { state, sandboxId, percent };
  }

  async begin(caller: Caller, to: Address, name?: string): Promise<Sandbox> {
    const { services, store } = this.#options;
    const view = await services.properties.view(to);
    if (isSandbox(to.propertyId)) throw new DomainError('INVALID_STATE', 'The property is a sandbox itself.');
    const { setup, businessDate: today, lastNight } = view;
    const copied: CopiedProperty = { setup, nights: view.baseNights(today, lastNight), today };
    if (inventedProperty(to, copied).types.length === 0 || Object.keys(plansOfWays(setup.plans)).length === 0)
      throw new DomainError(
        'INVALID_STATE',
        'Nobody can be invented: the property needs rooms with numbers and prices, and a rate plan on sale.',
      );
    const before = await store.of(to);
    const isGone = before?.state === 'READY' && !before.isThere;
    const run = await this.#nextRun(to, before?.number ?? 0);
    if (await store.beginRun(to, run, isGone)) {
      const leftover = before && before.state !== 'NONE' ? before.sandboxId : undefined;
      const what = { ...copied, name: name ?? `${setup.property.name.slice(0, 180)} (invented guests)` };
      this.#behind(to, run.run, async (alive) => {
        if (leftover !== undefined) await this.#remove(caller, { ...to, propertyId: leftover });
        await this.#make(caller, to, { ...run, copied: what, alive });
      });
    }
    return this.of(to);
  }

  async end(caller: Caller, to: Address): Promise<Sandbox> {
    await this.endWithProperty(caller, to);
    return this.of(to);
  }

  async endWithProperty(caller: Caller, to: Address): Promise<void> {
    const { store } = this.#options;
    const before = await store.of(to);
    const run = randomUUID();
    if (before && (await store.endRun(to, run)))
      this.#behind(to, run, async () => {
        await this.#remove(caller, { ...to, propertyId: before.sandboxId });
        await store.finish(to, run, 'NONE');
      });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await this.#running;
  }

  /** A number that no property has used. */
  async #nextRun(to: Address, last: number): Promise<SandboxRun> {
    for (let number = last + 1; number <= last + MAX_NUMBERS; number++) {
      const sandboxId = sandboxIdOf(to.propertyId, number);
      if (!(await this.#options.store.isUsed({ ...to, propertyId: sandboxId })))
        return { run: randomUUID(), number, sandboxId };
    }
    throw new DomainError('INVALID_STATE', 'There is no free id for a sandbox of this property.');
  }

  async #exists(to: Address, propertyId: string): Promise<boolean> {
    return this.#options.services.properties.view({ ...to, propertyId }).then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof DomainError) || error.code !== 'PROPERTY_NOT_FOUND') throw error;
        return false;
      },
    );
  }

  /** Runs after those before it, and says all the time that it lives. */
  #behind(to: Address, run: string, work: (alive: Alive) => Promise<void>): void {
    const { store, log } = this.#options;
    const alive: Alive = {
      percent: 0,
      mustLive: async () => {
        if (this.#ended.signal.aborted || !(await store.touch(to, run, alive.percent))) throw new RunEnded();
      },
    };
    const timer = setInterval(() => void alive.mustLive().catch(() => undefined), ALIVE_MS);
    timer.unref();
    this.#running = this.#after(this.#running, async () => {
      try {
        if (!this.#ended.signal.aborted) await work(alive);
      } catch (error) {
        if (error instanceof RunEnded || this.#ended.signal.aborted) return;
        log.error({ propertyId: to.propertyId, err: error }, 'a sandbox could not be made or thrown away');
        await store.finish(to, run, 'FAILED').catch(() => undefined);
      } finally {
        clearInterval(timer);
      }
    });
  }

  async #after(before: Promise<void>, work: () => Promise<void>): Promise<void> {
    await before;
    await work();
  }

  async #make(caller: Caller, of: Address, { run, sandboxId, copied, alive }: Making): Promise<void> {
    const { nodeId, log, store, ownerUrl, Client } = this.#options;
    const to = { tenantId: of.tenantId, propertyId: sandboxId };
    const began = performance.now();
    const order = this.#orderOf(to, copied);
    await this.#makeMonths(Math.floor(order.now / DAY_MS) - order.days.journal - 2);
    await using thread = new PastThread(order);
    const batches = this.#batchesOf(thread, alive);
    const isWritten = await this.#withClient((client) => writeSandbox(client, to, { nodeId, of, run }, batches));
    if (!isWritten) throw new RunEnded();
    await this.#copyExtras(caller, of, to);
    await analyzeTables(ownerUrl, Client).catch(() => undefined);
    await store.finish(of, run, 'READY');
    const ms = Math.round(performance.now() - began);
    log.info({ propertyId: sandboxId, days: order.days.all, ms }, 'a sandbox is made');
    await this.#finish(to, alive);
  }

  /** What follows a sandbox that is there with all of it: a fault leaves it to the daily jobs. */
  async #finish(to: Address, alive: Alive): Promise<void> {
    const { log, onComplete } = this.#options;
    try {
      await this.#audit(to, alive);
      await onComplete?.(to);
    } catch (error) {
      if (error instanceof RunEnded) throw error;
      log.warn({ propertyId: to.propertyId, err: error }, 'what follows a sandbox is left to the daily jobs');
    }
  }

  #orderOf(to: Address, copied: CopiedProperty & { name: string }): PastOrder {
    const { services, secretKeys } = this.#options;
    const property = inventedProperty(to, copied);
    const days = daysOfPast(property);
    const { setUp, last } = copyCommands(to, copied.name, copied, uuidv7);
    return {
      to,
      property,
      offset: OFFSETS.unit * randomInt(OFFSETS.from, OFFSETS.to),
      seed: randomInt(1, 2 ** 31 - 1),
      now: services.clock.now(),
      days: { all: days, journal: days, recent: days },
      setUp,
      companies: [],
      secretKeys,
      sandbox: { plans: plansOfWays(copied.setup.plans), last },
    };
  }

  async *#batchesOf(thread: PastThread, alive: Alive): AsyncIterable<PlayedBatch> {
    for (let batch = await thread.batch(); batch; batch = await thread.batch()) {
      yield batch;
      alive.percent = ((batch.n + 1) / batch.of) * WRITTEN_PERCENT;
      await alive.mustLive();
    }
  }

  async #makeMonths(first: Day): Promise<void> {
    const client = await this.#options.system();
    for (let attempt = 1; ; attempt++) {
      try {
        await client.query('select system.make_journal_months_v1($1)', [formatDay(first)]);
        return;
      } catch (error) {
        if (attempt === MONTH_ATTEMPTS) throw error;
      }
    }
  }

  async #copyExtras(caller: Caller, of: Address, to: Address): Promise<void> {
    const { extras, properties } = this.#options.services;
    const { currency } = await properties.view(to);
    for (const extra of await extras.list(of)) await extras.put(caller, to.propertyId, { extra, currency });
  }

  /** Makes the night audits of the past at once; the daily job would come for some of them at a time. */
  async #audit(to: Address, alive: Alive): Promise<void> {
    const { services } = this.#options;
    const { businessDate } = await services.properties.view(to);
    for (let n = 0; n < MAX_AUDITS && !(await nightAudit(services, to, businessDate)); n++) await alive.mustLive();
  }

  /** First for those who have the property open, or in memory; then from the database. */
  async #remove(caller: Caller, to: Address): Promise<void> {
    const { services, store } = this.#options;
    const by = { subject: caller.subject, requestId: ownRequestId() };
    if (await this.#exists(to, to.propertyId)) await sendAlways(services, by, to, { type: 'DELETE_PROPERTY' });
    await store.remove(to);
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
}

/** What a run says of itself. */
type Alive = {
  percent: number;
  /** @throws RunEnded when another run has taken over, or the service ends */
  mustLive(): Promise<void>;
};

type Making = SandboxRun & { copied: CopiedProperty & { name: string }; alive: Alive };
