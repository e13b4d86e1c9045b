import type { RelayFigures } from '../../../src/events/ports.ts';
import type { ExpiredKeyFigures } from '../../../src/history/ports.ts';
import {
  BREAKER_STATES,
  type BreakerState,
  type HealthState,
  JOB_NAMES,
  type JobQueue,
} from '../../../src/kernel/ports.ts';
import { SHARDS } from '../../../src/kernel/rules/placement.ts';
import type { Instant } from '../../../src/kernel/rules/property-time.ts';
import { isLate, type RoundFigures } from '../../../src/kernel/rules/rounds.ts';
import type {
  ClusterFigures,
  ClusterPart,
  ClusterReports,
  NodeReport,
} from '../../../src/platform/coordination/ports.ts';
import type { HealthBoard, HealthReport } from './health-board.ts';

/** Interval of health checks for metrics and reports, which do not wait for components. */
const LOOK_MS = 5_000;
/** Interval of event loop measurements, and how many of the last ones count. */
const BEAT_MS = 100;
const BEATS = 100;

/** A single node owns every shard. */
const ALL_SHARDS: readonly number[] = Array.from({ length: SHARDS }, (_, shard) => shard);

/** Sockets of the live gateway by state, followed properties, cached past states, and errors by cause. */
export type SocketFigures = {
  sockets: ReadonlyMap<string, number>;
  /** Over all sockets: a property counts once for each socket that follows it. */
  subscriptions: number;
  lookingBack: { count: number; bytes: number };
  refused: ReadonlyMap<string, number>;
  refusedLastMinute: number;
};
const NO_SOCKETS: SocketFigures = {
  sockets: new Map(),
  subscriptions: 0,
  lookingBack: { count: 0, bytes: 0 },
  refused: new Map(),
  refusedLastMinute: 0,
};

/** Parts of a node, for its report. */
export type NodeParts = {
  node: { nodeId: string; build: string; startedAt: Instant };
  board: Pick<HealthBoard, 'report'>;
  clock: { now(): Instant };
  jobs: Pick<JobQueue, 'size' | 'failed'>;
  figures(): {
    actors: number;
    queuedCommands: number;
    queuedBatches: number;
    failing: number;
    relay: RelayFigures;
    lease: NodeReport['lease'];
    rounds: readonly RoundFigures[];
    expiredKeys: ExpiredKeyFigures;
  };
  cluster?: ClusterPart;
};

/** This node's report, and the figures for its metrics. */
export class NodeStatus implements Disposable {
  readonly reports: ClusterReports;
  readonly #parts: NodeParts;
  #firstLook: Promise<void> | undefined;
  readonly #looks: ReturnType<typeof setInterval>;
  readonly #beats: ReturnType<typeof setInterval>;
  readonly #delays: number[] = [];
  #health: HealthReport = { status: 'UNKNOWN', components: {} };
  #sockets: () => SocketFigures = () => NO_SOCKETS;
  #live: () => NodeReport['live'] = () => ({ connections: 0, properties: 0 });

  constructor(parts: NodeParts) {
    this.#parts = parts;
    const own = (): Promise<NodeReport> => this.report();
    this.reports = parts.cluster?.gather(own) ?? { all: async () => ({ reports: [await own()], missing: [] }) };
    this.#looks = setInterval(() => void this.#look(), LOOK_MS);
    this.#beats = this.#timeLoop();
    this.#looks.unref?.();
    this.#beats.unref?.();
  }

  /**
   * Runs the first health check. Called once the listeners exist: creating them blocks the event loop for longer than
   * any component may take.
   */
  begin(): Promise<void> {
    return (this.#firstLook ??= this.#look());
  }

  /** The live gateway is opened after the services. */
  watchLive(stats: () => NodeReport['live'], figures: () => SocketFigures = () => NO_SOCKETS): void {
    this.#live = stats;
    this.#sockets = figures;
  }

  /** The latest health report. */
  get health(): HealthReport {
    return this.#health;
  }

  /** Circuit breakers by component, where it has one. */
  get breakers(): Record<string, BreakerState> {
    return Object.fromEntries(
      Object.entries(this.#health.components).flatMap(([name, { details }]) => {
        const state = BREAKER_STATES.find((one) => one === details?.['breaker']);
        return state === undefined ? [] : [[name, state]];
      }),
    );
  }

  get live(): NodeReport['live'] {
    return this.#live();
  }

  /** Details of the live gateway's sockets. */
  get sockets(): SocketFigures {
    return this.#sockets();
  }

  get figures(): ReturnType<NodeParts['figures']> {
    return this.#parts.figures();
  }

  get cluster(): ClusterFigures | undefined {
    return this.#parts.cluster?.figures();
  }

  get eventLoopDelayMs(): number {
    return Math.max(0, ...this.#delays);
  }

  get jobs(): Record<string, number> {
    return Object.fromEntries(JOB_NAMES.map((name) => [name, this.#parts.jobs.size(name)]));
  }

  /**
   * The report with the latest health result, since a component that hangs would exceed the other node's time limit.
   * Only the first check is awaited.
   */
  async report(): Promise<NodeReport> {
    await this.begin();
    const { node, clock } = this.#parts;
    const { cluster, figures } = this;
    const { rss: rssBytes, heapUsed: heapUsedBytes } = process.memoryUsage();
    return {
      nodeId: node.nodeId,
      address: cluster ? `${cluster.self.host}:${cluster.self.port}` : null,
      role: cluster?.self.role ?? 'all',
      build: node.build,
      runtime: runtimeName(),
      startedAt: node.startedAt,
      uptimeSeconds: Math.max(0, (clock.now() - node.startedAt) / 1_000),
      status: this.#health.status,
      components: statesOf(this.#health),
      breakers: this.breakers,
      lease: figures.lease,
      view: cluster?.view ?? { version: 0, members: 1 },
      shards: cluster?.shards ?? ALL_SHARDS,
      actors: {
        awake: figures.actors,
        queuedCommands: figures.queuedCommands,
        queuedBatches: figures.queuedBatches,
      },
      live: this.live,
      relay: figures.relay,
      jobs: this.jobs,
      failedJobs: [...this.#parts.jobs.failed()],
      rounds: figures.rounds.map(roundReport),
      links: cluster?.links ?? { calls: 0, failures: 0 },
      memory: { rssBytes, heapUsedBytes },
      eventLoopDelayMs: this.eventLoopDelayMs,
      takeOvers: cluster?.takeOvers.recent ?? [],
    };
  }

  [Symbol.dispose](): void {
    clearInterval(this.#looks);
    clearInterval(this.#beats);
  }

  async #look(): Promise<void> {
    this.#health = await this.#parts.board.report();
  }

  #timeLoop(): ReturnType<typeof setInterval> {
    let last = performance.now();
    return setInterval(() => {
      const now = performance.now();
      this.#delays.push(Math.max(0, now - last - BEAT_MS));
      if (this.#delays.length > BEATS) this.#delays.shift();
      last = now;
    }, BEAT_MS);
  }
}

function roundReport({ name, ageSeconds, everyMs, failures, tookMs, error, failedItems }: RoundFigures) {
  return {
    name,
    ageSeconds,
    everyMs,
    late: isLate({ ageSeconds, everyMs }),
    failures,
    ...(tookMs !== undefined && { tookMs }),
    ...(error !== undefined && { error }),
    ...(failedItems && { failedItems: [...failedItems] }),
  };
}

function statesOf({ components }: HealthReport): Record<string, HealthState> {
  return Object.fromEntries(Object.entries(components).map(([name, { status }]) => [name, status]));
}

function runtimeName(): string {
  const { deno, node } = process.versions;
  return deno === undefined ? `Node ${node}` : `Deno ${deno}`;
}
