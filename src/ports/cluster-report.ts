import type { NodeRole } from '../domain/placement.ts';
import type { Instant } from '../domain/property-time.ts';
import type { BreakerState } from './breaker.ts';
import type { HealthState } from './health-check.ts';
import type { Member } from './placement.ts';
import type { RelayFigures } from './relay-queue.ts';

/** A node that took over from another one, and why that one had lost its right. */
export type TakeOver = { nodeId: string; at: Instant; why: string };

/** Calls to other nodes since the start, and those that found nobody or were cut off. */
export type LinkFigures = { calls: number; failures: number };

/** A regular round of a node: how long ago it last ran or got on, how often it is to run, and whether that is too long. */
export type RoundReport = { name: string; ageSeconds: number; everyMs: number; late: boolean };

/** What a node says of itself to whoever runs the installation: figures and states, nothing of a tenant. */
export type NodeReport = {
  nodeId: string;
  /** Where other nodes reach it; null where it is alone. */
  address: string | null;
  role: NodeRole;
  /** Version of the program. */
  build: string;
  /** Such as `Deno 2.9.6`. */
  runtime: string;
  startedAt: Instant;
  uptimeSeconds: number;
  /** All of its essential components together, and each by its name: partners, database, broker, Redis. */
  status: HealthState;
  components: Record<string, HealthState>;
  /** Of those that have one: whether this node asks that partner. */
  breakers: Record<string, BreakerState>;
  /** Whether it may own properties, and how long ago PostgreSQL last said so. */
  lease: { held: boolean; ageSeconds: number };
  /** The view of the cluster that it goes by; version 0 where it is alone. */
  view: { version: number; members: number };
  /** Shards that it has under that view. */
  shards: readonly number[];
  /** Properties in memory, commands in their mailboxes, sealed batches that wait for a lane. */
  actors: { awake: number; queuedCommands: number; queuedBatches: number };
  live: { connections: number; properties: number };
  relay: RelayFigures;
  /** Jobs that wait or run, by queue. */
  jobs: Record<string, number>;
  /** Its regular rounds; absent from nodes of the version before. */
  rounds?: readonly RoundReport[];
  links: LinkFigures;
  memory: { rssBytes: number; heapUsedBytes: number };
  /** The longest that its event loop stood still in the last ten seconds. */
  eventLoopDelayMs: number;
  /** The newest first, some of them. */
  takeOvers: readonly TakeOver[];
};

/** A node that should be there and did not answer. */
export type MissingNode = { nodeId: string; why: string };

/** What all nodes say of themselves, asked now. */
export interface ClusterReports {
  /** Never throws: who does not answer in time is missing. */
  all(): Promise<{ reports: NodeReport[]; missing: MissingNode[] }>;
}

/** What the cluster adds to a node's report; read whenever somebody asks, so it must cost next to nothing. */
export type ClusterFigures = {
  self: Member;
  view: NodeReport['view'];
  shards: readonly number[];
  /** Since the start, and the newest of them. */
  takeOvers: { count: number; recent: readonly TakeOver[] };
  links: LinkFigures;
  /** Nodes with a lease that the Redis of this node does not name. */
  redisMissing: number;
};

/** The part of the cluster that gateways see. */
export type ClusterPart = {
  figures(): ClusterFigures;
  /** Gathers the reports of all members; `own` is this node's, which others get over the node link. */
  gather(own: () => Promise<NodeReport>): ClusterReports;
};
