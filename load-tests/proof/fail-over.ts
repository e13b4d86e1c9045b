import { DatabasePair, type Replication } from '../../src/testing/fail-over/database-pair.ts';
import type { PairedServer } from '../../src/testing/fail-over/paired-server.ts';
import { BlackboxProperty, must } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import type { Audit } from '../../test/blackbox/shapes.ts';
import { SteadyBookers } from '../../test/blackbox/steady-bookers.ts';
import { pause, until } from '../../test/blackbox/waiting.ts';
import { startServices } from '../../test/services/start.ts';
import { percentiles } from '../client/latencies.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import type { ProofResult } from './kills.ts';

export type FailOverOptions = { rounds: number; replication: Replication; nodes: number };

const CLIENTS = 12;
/** Rooms of the property that is soon full, and of the one that is not. */
const FEW = 3;
const MANY = 20_000;
const CALM_MS = 2_000;
/** Until the fail-over is decided upon, which is somebody else's work. */
const NOTICED_MS = 2_000;
/** How long a standby is behind at the fault, when it may be. */
const BEHIND_MS = 1_000;
/** From the promotion to the return of the earlier primary, and how long it is watched then. */
const AWAY_MS = 3_000;
/** The same of one that never went away: until connections that are still open are cut, which is looked after every 5 s. */
const UNNOTICED_MS = 9_000;
const WATCHED_MS = 8_000;
const BACK_WITHIN_MS = 120_000;

type Fault = {
  name: string;
  strikes(primary: PairedServer): Promise<void> | void;
  returns?(one: PairedServer): void;
  /** The earlier primary is there all the time: what it acknowledges before a node sees the new one is lost too. */
  isUnnoticed?: boolean;
};

const FAULTS: readonly Fault[] = [
  { name: 'killed (kill -9)', strikes: (primary) => primary.kill() },
  {
    name: 'frozen, back later',
    strikes: (primary) => primary.signal('SIGSTOP'),
    returns: (one) => one.signal('SIGCONT'),
  },
  {
    name: 'cut off, back later',
    strikes: ({ line }) => void (line.isStuck = true),
    returns({ line }) {
      // What was lost on the way is not sent again: open connections end, new ones work.
      line.cut();
      line.isStuck = false;
      line.mend();
    },
  },
  { name: 'goes on, nobody fences it', strikes: () => {}, returns: () => {}, isUnnoticed: true },
];

/** Milliseconds from the fault, and from the end of the promotion, to the first booking. */
type Round = { fault: string; outage: number; promoted: number; lost: number; written: number; sessions: number };

/**
 * Bookings while the primary of a real pair of PostgreSQL servers is killed, frozen, cut off or left alone, round by round, its
 * standby is promoted, and the earlier primary comes back. Then everything acknowledged must be there, and nothing
 * written to the earlier primary. With asynchronous replication what is lost is counted, and must have been bounded by
 * what the standby was behind.
 */
export async function proveFailOver({ rounds, replication, nodes }: FailOverOptions): Promise<ProofResult> {
  await using pair = await DatabasePair.open(replication);
  await using services = nodes > 1 ? await startServices({ only: ['redis'] }) : undefined;
  const cluster = services && { INNKEEPER_NODES: String(nodes), REDIS_URL: services.redis!.url };
  const service = await Service.start({ ...NO_LIMITS, ...cluster, DATABASE_URL: pair.url });
  try {
    const scene = await Scene.open(service, pair, replication);
    console.log(`${replication}, ${nodes} ${nodes === 1 ? 'node' : 'nodes'}; ms to the first booking`);
    console.log(`${'primary'.padEnd(24)}from fault  from promotion  lost  written to the earlier primary`);
    for (let n = 0; n < rounds; n++) await scene.round(FAULTS[n % FAULTS.length]!);
    return await scene.report();
  } finally {
    await service.remove();
  }
}

type Stage = {
  service: Service;
  pair: DatabasePair;
  replication: Replication;
  properties: readonly [BlackboxProperty, BlackboxProperty];
};

class Scene {
  readonly #service: Service;
  readonly #pair: DatabasePair;
  readonly #replication: Replication;
  readonly #properties: readonly [BlackboxProperty, BlackboxProperty];
  readonly #rounds: Round[] = [];
  readonly #lost = new Set<string>();
  /** Properties that went on in the same generation although something is lost, or in another although nothing is. */
  readonly #wrongGenerations: string[] = [];
  /** Acknowledged while the standby was behind. */
  #exposed = 0;
  #acknowledged = 0;
  #refused = 0;
  readonly #strange: string[] = [];

  private constructor({ service, pair, replication, properties }: Stage) {
    this.#service = service;
    this.#pair = pair;
    this.#replication = replication;
    this.#properties = properties;
  }

  static async open(service: Service, pair: DatabasePair, replication: Replication): Promise<Scene> {
    const many = await BlackboxProperty.open(service, { rooms: { DLX: MANY } });
    const few = await BlackboxProperty.open(service, { rooms: { DLX: FEW } });
    return new Scene({ service, pair, replication, properties: [many, few] });
  }

  async round({ name, strikes, returns, isUnnoticed = false }: Fault): Promise<void> {
    const earlier = this.#pair.primary;
    const leavesBehind = this.#replication === 'asynchronous';
    const bookers = new SteadyBookers(CLIENTS, () => this.#properties[Math.random() < 0.8 ? 0 : 1], 50);
    await pause(CALM_MS);
    await until('bookings', BACK_WITHIN_MS, () => bookers.acknowledged.length > 0 || undefined);
    const safe = bookers.acknowledged.length;
    if (leavesBehind) {
      await this.#pair.leaveBehind();
      await pause(BEHIND_MS);
    }
    const generations = await this.#generations();
    const faultAt = performance.now();
    await strikes(earlier);
    await pause(NOTICED_MS);
    await this.#pair.promote();
    const promotedAt = performance.now();
    await until('bookings again', BACK_WITHIN_MS, () => bookers.firstAfter(promotedAt));
    const awayMs = isUnnoticed ? UNNOTICED_MS : AWAY_MS;
    const seen = returns ? await this.#comesBack(earlier, returns, awayMs) : { written: 0, sessions: 0 };
    await bookers.end();
    const missing = await this.#missing(bookers);
    const lasting = bookers.acknowledged.filter((one) => one.at > promotedAt && !missing.includes(one));
    const backAt = Math.min(...lasting.map(({ at }) => at));
    const exposed = bookers.acknowledged.filter(({ at }, n) => n >= safe && at < backAt).length;
    await this.#compare(generations, missing);
    const lost = missing.length;
    const round = { fault: name, outage: backAt - faultAt, promoted: backAt - promotedAt, lost, ...seen };
    this.#rounds.push(round);
    this.#exposed += leavesBehind ? exposed : 0;
    this.#acknowledged += bookers.acknowledged.length;
    this.#refused += bookers.refused;
    this.#strange.push(...bookers.strange);
    const figures = [
      String(Math.round(round.outage)).padStart(10),
      String(Math.round(round.promoted)).padStart(14),
      String(lost).padStart(4),
      returns ? `${seen.written} rows, ${seen.sessions} sessions` : 'it does not come back',
    ];
    console.log(`${name.padEnd(24)}${figures.join('  ')}`);
    await this.#pair.rejoin();
  }

  async report(): Promise<ProofResult> {
    const violations: unknown[] = [];
    for (const { propertyId } of this.#properties) {
      const url = `${this.#service.dev.reservationUrl}/api/v1/admin/audit/${propertyId}`;
      violations.push(...must(await this.#service.call<Audit>('GET', url), 200).json.violations);
    }
    const oversold = await this.#pair.primary.ask(
      `select from availability.room_availability where property_id = any ($1)
         and (booked_rooms + held_rooms > total_rooms or shortfall > 0)`,
      [this.#properties.map(({ propertyId }) => propertyId)],
    );
    const sum = (of: (round: Round) => number): number => this.#rounds.reduce((all, one) => all + of(one), 0);
    const written = sum((one) => one.written);
    const sessions = sum((one) => one.sessions);
    const outages = percentiles(this.#rounds.map(({ outage }) => outage));
    console.log(`${this.#acknowledged} bookings acknowledged, ${this.#refused} refused as sold out`);
    console.log(
      `acknowledged and lost: ${this.#lost.size}; acknowledged while the standby was behind: ${this.#exposed}`,
    );
    console.log(`oversold cells: ${oversold.length}; violations of the audit: ${violations.length}`);
    const grown = Math.max(...(await this.#generations()).values()) - 1;
    console.log(`new generations: ${grown}; wrong or missing ones: ${this.#wrongGenerations.length}`);
    console.log(
      `outage: p50 ${seconds(outages.p50)} s, p99 ${seconds(outages.p99)} s, worst ${seconds(outages.max)} s; goal 30 s`,
    );
    for (const text of this.#strange.slice(0, 5)) console.log(`strange: ${text}`);
    const isLossRight =
      this.#replication === 'synchronous' ? this.#lost.size === 0 : this.#lost.size <= this.#exposed;
    const wrong = [violations, oversold, this.#strange, this.#wrongGenerations].some((list) => list.length > 0);
    return {
      held: !wrong && isLossRight && written + sessions === 0,
      counts: {
        'fail overs': this.#rounds.length,
        'bookings acknowledged': this.#acknowledged,
        lost: this.#lost.size,
        'cells oversold': oversold.length,
        'violations of the audit': violations.length,
        'rows written to an earlier primary': written,
      },
    };
  }

  /** The earlier primary is there again, and would take writes. @returns what the service still did there */
  async #comesBack(
    earlier: PairedServer,
    returns: (one: PairedServer) => void,
    awayMs: number,
  ): Promise<Omit<Round, 'lost' | 'fault' | 'outage' | 'promoted'>> {
    await pause(awayMs);
    const since = new Date();
    returns(earlier);
    await pause(WATCHED_MS);
    // A commit from before the fault may still wait for its standby; it is acknowledged to nobody.
    const sessions = await earlier.ask(
      `select from pg_stat_activity where application_name like 'innkeeper%' and wait_event is distinct from 'SyncRep'`,
    );
    const rows = await earlier.ask('select from journal where at > $1', [since]);
    const [one] = await earlier.ask<{ standby: boolean }>('select pg_is_in_recovery() as standby');
    if (one?.standby !== false) throw new Error('the earlier primary takes no writes, so this shows nothing');
    return { written: rows.length, sessions: sessions.length };
  }

  /** These bookings that are not stored. */
  async #missing({ acknowledged }: SteadyBookers): Promise<SteadyBookers['acknowledged']> {
    const rows = await this.#pair.primary.ask<{ id: string }>(
      `select id from reservations where status = 'CONFIRMED' and id = any ($1)`,
      [acknowledged.map(({ reservationId }) => reservationId)],
    );
    const there = new Set(rows.map(({ id }) => id));
    const missing = acknowledged.filter(({ reservationId }) => !there.has(reservationId));
    for (const { reservationId } of missing) this.#lost.add(reservationId);
    return missing;
  }

  async #generations(): Promise<Map<string, number>> {
    const sql = 'select property_id as id, generation from property_actor';
    const rows = await this.#pair.primary.ask<{ id: string; generation: number }>(sql);
    return new Map(rows.map(({ id, generation }) => [id, generation]));
  }

  /**
   * Where something acknowledged is lost, dashboards must notice by the generation; with a synchronous standby none may
   * change. An asynchronous one may lack commands that were acknowledged to nobody.
   */
  async #compare(before: Map<string, number>, missing: SteadyBookers['acknowledged']): Promise<void> {
    for (const [id, generation] of await this.#generations()) {
      const hasLost = missing.some(({ propertyId }) => propertyId === id);
      const isNew = generation !== before.get(id);
      if (hasLost ? !isNew : isNew && this.#replication === 'synchronous') this.#wrongGenerations.push(id);
    }
  }
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
