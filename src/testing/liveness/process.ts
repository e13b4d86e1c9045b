import type { Log } from '../../kernel/ports.ts';
import { abandonOnLoss } from '../../platform/coordination/abandon-on-loss.ts';
import { NodeLease } from '../../platform/coordination/node-lease.ts';
import { type ConnectOptions, SYSTEM_IDLE } from '../../platform/database/connection.ts';
import { Connections, type LimitedClient } from '../../platform/database/limited-client.ts';
import { ReconnectingClient } from '../../platform/database/reconnecting-client.ts';
import { JobQueues } from '../../platform/jobs/job-queues.ts';
import { databaseJobRounds } from '../../platform/jobs/job-rounds.ts';
import { regularly } from '../../platform/jobs/regularly.ts';
import { RepeatedJobs } from '../../platform/jobs/repeated-jobs.ts';
import { RoundRegistry } from '../../platform/jobs/round-registry.ts';
import { PostgresPropertyStore } from '../../property-store/storage/property-store.ts';
import { SimulatedBackend } from './bullmq.ts';
import { SimulatedConnection } from './connection.ts';
import { jobSettings } from './job-settings.ts';
import { SimulatedKeeper } from './keeper.ts';
import type { SimulatedPostgres } from './postgres.ts';
import type { SimulatedRedis } from './redis.ts';
import type { SimulatedThread } from './thread.ts';
import type { Network } from './way.ts';
import type { LivenessWorld } from './world.ts';

/** Interval of regular queries, like those of a node's rounds. */
const QUESTION_EVERY_MS = 30_000;
/** Interval of bookings, over one lane or the other. */
const BOOKING_EVERY_MS = 1_000;
const LANES = 2;
/** A commit that has no answer for so long fences its node. One may fail by itself just before that, not another. */
const OVERDUE_MS = 3_000;
const MAX_OVERDUE = 1;

export type ProcessParts = {
  world: LivenessWorld;
  nodeId: string;
  server: SimulatedPostgres;
  redis: SimulatedRedis;
  network: Network;
  /** `Date.now()` of the machine. */
  wallClock(): number;
  /** It has ended by itself. */
  exited(): void;
};

/** One life of a node's process: the real lease, store, queues and rounds, over simulated connections and threads. */
export class SimulatedProcess {
  readonly incarnation: string;
  readonly main: SimulatedThread;
  readonly rounds: RoundRegistry;
  readonly backend: SimulatedBackend;
  /** Commits that went through, by when they were begun and when they ended, in milliseconds of the simulation. */
  readonly committed: { begunMs: number; endedMs: number }[] = [];
  keeper: SimulatedKeeper;
  lease: NodeLease | undefined;
  /** Open connections of the main thread, with how often the lease had been lost when each was made. */
  readonly connections = new Map<SimulatedConnection, number>();
  readonly #parts: ProcessParts;
  readonly #log: Log;
  #losses = 0;
  /** Commits without an answer since the lease was last lost, after which it held all the same. */
  #overdue = 0;
  #stoodStillMs = 0;

  constructor(parts: ProcessParts) {
    const { world, nodeId, server, network, redis, wallClock } = parts;
    this.#parts = parts;
    this.incarnation = world.id(nodeId);
    this.#log = world.log(this.incarnation);
    this.main = world.thread();
    this.rounds = new RoundRegistry(() => this.main.now());
    this.backend = new SimulatedBackend({ redis, thread: this.main, network, wallClock });
    this.keeper = new SimulatedKeeper({ world, server, main: this.main, network });
    void this.#run();
  }

  get hasEnded(): boolean {
    return this.main.hasEnded;
  }

  /** Whether its main thread, if it looked now, would serve. */
  get believes(): boolean {
    return !this.hasEnded && this.lease?.held === true;
  }

  /** `kill -9`, or its own end: the system closes what it had open. */
  end(): void {
    if (this.hasEnded) return;
    this.main.end();
    this.keeper.die();
    for (const connection of this.connections.keys()) connection.leave();
  }

  /** The main loop is held up. */
  stall(milliseconds: number): void {
    this.#stoodStillMs += milliseconds;
    this.main.block(milliseconds);
  }

  /** Every thread stands still. */
  pause(milliseconds: number): void {
    this.stall(milliseconds);
    this.keeper.thread.block(milliseconds);
  }

  async #run(): Promise<void> {
    const { world, nodeId } = this.#parts;
    const connections = new Connections();
    const system = new ReconnectingClient(() => this.#connect(connections, { settings: SYSTEM_IDLE }));
    try {
      this.lease = await NodeLease.take({
        node: { nodeId, incarnation: this.incarnation },
        databaseUrl: '',
        log: this.#log,
        client: () => system.client(),
        renewed: () => undefined,
        thread: this.keeper,
        startThread: () => this.#startKeeper(),
        scheduler: this.main,
      });
    } catch (error) {
      world.note(`${this.incarnation} does not start: ${String(error)}`);
      this.end();
      return this.#parts.exited();
    }
    // Before the listener that cuts: what is made while that runs is new.
    abandonOnLoss(this.lease, { abandon: () => this.#lost() }, connections);
    this.#doRounds(system);
    this.#takeBookings(connections, this.lease);
  }

  #lost(): void {
    this.#losses += 1;
    this.#overdue = 0;
  }

  #startKeeper(): SimulatedKeeper {
    const { world, server, network } = this.#parts;
    return (this.keeper = new SimulatedKeeper({ world, server, main: this.main, network }));
  }

  #doRounds(system: ReconnectingClient): void {
    const ask = async (): Promise<void> => void (await (await system.client()).query('select 1'));
    const round = this.rounds.register('questions', QUESTION_EVERY_MS);
    regularly(round, this.#log, ask, 'later', this.main);
    const parts = { works: true, log: this.#log, rounds: this.rounds, scheduler: this.main };
    const stored = databaseJobRounds(() => system.client(), this.#parts.nodeId);
    const repeated = new RepeatedJobs({ ...parts, stored });
    const settings = repeated.watched(jobSettings(ask));
    const queues = new JobQueues({ ...parts, open: () => this.backend.opened(), settings });
    queues.begin();
    repeated.begin();
  }

  #takeBookings(connections: Connections, lease: NodeLease): void {
    const store = new PostgresPropertyStore({
      ...({ databaseUrl: '', nodeId: this.#parts.nodeId } as ConstructorParameters<typeof PostgresPropertyStore>[0]),
      connect: (_url, _role, options = {}) => this.#connect(connections, options),
      onOverdue: (why) => lease.giveUp(why),
      scheduler: this.main,
    });
    let lane = 0;
    this.main.every(BOOKING_EVERY_MS, () => {
      lane = (lane + 1) % LANES;
      if (lease.held) void this.#book(store, lane);
    });
  }

  async #book(store: PostgresPropertyStore, lane: number): Promise<void> {
    const { world } = this.#parts;
    const begunMs = world.elapsedMs;
    for (const losses of this.connections.values())
      if (losses < this.#losses) world.violated(`${this.incarnation} keeps connections over a lease`);
    const losses = this.#losses;
    const stoodStillMs = this.#stoodStillMs;
    const { outcome } = await store.commit(lane, []);
    const endedMs = world.elapsedMs;
    if (outcome === 'committed') return void this.committed.push({ begunMs, endedMs });
    const isOverdue = endedMs - begunMs > OVERDUE_MS && this.#stoodStillMs === stoodStillMs;
    if (!isOverdue || losses !== this.#losses || !this.believes) return;
    this.#overdue += 1;
    if (this.#overdue > MAX_OVERDUE)
      world.violated(`${this.incarnation} holds its lease though commits have no answer`);
  }

  async #connect(connections: Connections, options: ConnectOptions): Promise<LimitedClient> {
    const { server, network } = this.#parts;
    const connection = new SimulatedConnection({ server, thread: this.main, network }, options);
    this.connections.set(connection, this.#losses);
    connection.once('end', () => this.connections.delete(connection));
    const client = connection as unknown as LimitedClient;
    connections.add(client);
    await connection.open(options);
    return client;
  }
}
