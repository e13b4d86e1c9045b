import type { ItemRunner } from '../../kernel/operations/item-runner.ts';
import {
  type BehindBreaker,
  BREAKER_STATES,
  type BreakerState,
  type Clock,
  type Health,
  type HealthCheck,
  type JobQueue,
} from '../../kernel/ports.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import { SingleFlight } from '../../platform/jobs/single-flight.ts';
import type { TenantStore } from '../../tenants/ports.ts';
import type { CompetitorFeed, CompetitorRates, SourceOverview } from '../ports.ts';
import { stateOfAll, stateOfSource } from '../rules/competitor-sync.ts';

/** Interval of checks for due sources. */
export const LOOK_MS = 60_000;

/** Maximum of checks in a row: a refresh may make others due meanwhile when a clock moves. */
const ROUNDS = 3;

type Options = {
  tenants: TenantStore;
  competitors: CompetitorRates;
  feeds: readonly Pick<CompetitorFeed, 'source' | 'breaker'>[];
  jobs: JobQueue;
  clock: Clock;
  each: ItemRunner;
};

/**
 * The schedule of competitor rates. BullMQ's own timers know only machine time, and one interval for all: so its
 * rounds, which run once a minute for all nodes and survive restarts, only check. A property is due by its stored
 * `nextSync` and the application's clock, which development can move; BullMQ's job ids make two checks refresh once.
 * Health and metrics of this node report the last check.
 */
export class CompetitorWatch {
  readonly #options: Options;
  #seen = new Map<string, SourceOverview[]>();
  #lookedAt: number | undefined;
  readonly #looks = new SingleFlight(() => this.#look());

  constructor(options: Options) {
    this.#options = options;
  }

  /** Checks every tenant and enqueues due refreshes if the queue is available; returns the jobs. */
  look(): Promise<string[]> {
    return this.#looks.look();
  }

  /** Checks again after a running check: one that began before the queue was available has enqueued nothing. */
  lookAgain(): Promise<string[]> {
    return this.#looks.lookAgain();
  }

  /** Checks one tenant, after a refresh. */
  async lookAt(tenantId: TenantId): Promise<SourceOverview[]> {
    const { competitors, feeds } = this.#options;
    const sources = feeds.map(({ source }) => source);
    const seen = await competitors.overview(tenantId, sources);
    this.#seen.set(tenantId, seen);
    return seen;
  }

  /** Runs all due refreshes: the development clock answers after it (docs/reference/set-up.md#development-only). */
  async runDue(withinMs: number): Promise<void> {
    const end = performance.now() + withinMs;
    for (let round = 0; round < ROUNDS; round++) {
      const ids = await this.#looks.lookAgain();
      if (ids.length === 0 || performance.now() > end) return;
      const { jobs } = this.#options;
      await Promise.all(ids.map((id) => jobs.ended('competitor-refresh', id, end - performance.now())));
    }
  }

  /** Seconds since any source last answered for any tenant; 0 before the first answer. */
  get ageSeconds(): number {
    const last = this.#sum().flatMap(({ lastSuccess }) => lastSuccess ?? []);
    return last.length === 0 ? 0 : this.#age(Math.max(...last));
  }

  /** The component `competitorApi` (docs/operations/health.md#components). */
  readonly health: HealthCheck = { essential: false, check: async () => this.#check() };

  async #look(): Promise<string[]> {
    const { tenants, feeds, each } = this.#options;
    if (feeds.length === 0) return [];
    const all = await tenants.running();
    this.#seen = new Map([...this.#seen].filter(([tenantId]) => all.includes(tenantId)));
    const enqueued: string[] = [];
    for (const tenantId of all) {
      this.#looks.progressed();
      await each.one(tenantId, async () => {
        const id = await this.#askIfDue(tenantId);
        if (id !== undefined) enqueued.push(id);
      });
    }
    this.#lookedAt = performance.now();
    return enqueued;
  }

  /** Enqueues a refresh if one is due; returns the job. */
  async #askIfDue(tenantId: TenantId): Promise<string | undefined> {
    const { jobs, clock } = this.#options;
    const now = clock.now();
    const seen = await this.lookAt(tenantId);
    // A start does not wait for the queue, and health is read before: due refreshes are enqueued once the queue is
    // available.
    if (!jobs.isOpen || !seen.some((source) => isDue(source, now))) return undefined;
    // For a new tenant, everything available by now is requested.
    const since = seen.some(isNew) ? now : undefined;
    return (await jobs.enqueue('competitor-refresh', { tenantId, since }, { oneOf: tenantId })).id;
  }

  #check(): Health {
    // On a node that never runs the round nothing else would check.
    if (performance.now() - (this.#lookedAt ?? -Infinity) > 2 * LOOK_MS) void this.look().catch(() => undefined);
    const sources = this.#sum();
    const state = stateOfAll(sources.map(stateOfSource));
    const breaker = furthestOpen(sources.flatMap((one) => one.breaker ?? []));
    const details = {
      state,
      ...(breaker && { breaker }),
      sources: sources.map(({ source, breaker: own, lastSuccess, ...counts }) => ({
        source,
        state: stateOfSource(counts),
        ...(own && { breaker: own }),
        ageSeconds: lastSuccess === undefined ? null : this.#age(lastSuccess),
      })),
    };
    switch (state) {
      case 'OFF':
      case 'PENDING':
        return { status: 'UNKNOWN', details };
      case 'OK':
      case 'PARTIAL':
        return { status: 'UP', details };
      case 'FAILED':
        return { status: 'DOWN', details };
    }
  }

  /** Each source over all tenants. */
  #sum(): (Pick<SourceOverview, 'source' | 'queried' | 'failing' | 'lastSuccess'> & BehindBreaker)[] {
    const all = [...this.#seen.values()].flat();
    return this.#options.feeds.map(({ source, breaker }) => {
      const of = all.filter((one) => one.source === source);
      const last = of.flatMap(({ lastSuccess }) => lastSuccess ?? []);
      return {
        source,
        breaker,
        queried: of.reduce((sum, { queried }) => sum + queried, 0),
        failing: of.reduce((sum, { failing }) => sum + failing, 0),
        lastSuccess: last.length === 0 ? undefined : Math.max(...last),
      };
    });
  }

  #age(at: Instant): number {
    return Math.max(0, Math.floor((this.#options.clock.now() - at) / 1_000));
  }
}

/** The worst breaker state of all feeds. */
function furthestOpen(breakers: readonly BreakerState[]): BreakerState | undefined {
  return BREAKER_STATES.findLast((state) => breakers.includes(state));
}

const isNew = ({ properties, queried }: SourceOverview): boolean => properties > 0 && queried === 0;

function isDue(source: SourceOverview, now: Instant): boolean {
  return isNew(source) || (source.nextSync !== undefined && source.nextSync <= now);
}
