import type { RelayFigures } from '../../events/ports.ts';
import type { BreakerState, FailedJob, HealthState } from '../../kernel/ports.ts';
import type { FollowFrom, LiveFeed, LiveListener } from '../../kernel/property-actors.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { Command, Envelope, Reply } from '../../kernel/rules/commands.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import type { NodeRole } from '../../kernel/rules/placement.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';

/** A take-over, and why the previous owner had lost its right. */
export type TakeOver = { nodeId: string; at: Instant; why: string };

/** Calls to other nodes since the start, and failed ones. */
export type LinkFigures = { calls: number; failures: number };

/** A regular round of a node: age of its last run or progress, its period, and whether it is late. */
type RoundReport = {
  name: string;
  ageSeconds: number;
  everyMs: number;
  late: boolean;
  failures?: number;
  tookMs?: number;
  error?: string;
  failedItems?: string[];
};

/** Report of a node for operators: figures and states, nothing about a tenant. */
export type NodeReport = {
  nodeId: string;
  /** Address for other nodes; null for a single node. */
  address: string | null;
  role: NodeRole;
  /** Version of the program. */
  build: string;
  /** Such as `Deno 2.9.6`. */
  runtime: string;
  startedAt: Instant;
  uptimeSeconds: number;
  /** Aggregate of its essential components, and each by name: partners, database, broker, Redis. */
  status: HealthState;
  components: Record<string, HealthState>;
  /** State of each partner's circuit breaker on this node. */
  breakers: Record<string, BreakerState>;
  /** Whether it may own properties, and the age of PostgreSQL's last confirmation. */
  lease: { held: boolean; ageSeconds: number };
  /** Its view of the cluster; version 0 for a single node. */
  view: { version: number; members: number };
  /** Its shards under that view. */
  shards: readonly number[];
  /** Resident properties (`awake` on the wire), commands in their mailboxes, finalized batches waiting for a lane. */
  actors: { awake: number; queuedCommands: number; queuedBatches: number };
  live: { connections: number; properties: number };
  relay: RelayFigures;
  /** Jobs that wait or run, by queue. */
  jobs: Record<string, number>;
  /** Jobs that failed for good; absent for nodes of the previous version. */
  failedJobs?: FailedJob[];
  /** Its regular rounds; absent for nodes of the previous version. */
  rounds?: readonly RoundReport[];
  links: LinkFigures;
  memory: { rssBytes: number; heapUsedBytes: number };
  /** Longest pause of the event loop in the last ten seconds. */
  eventLoopDelayMs: number;
  /** Some of them, newest first. */
  takeOvers: readonly TakeOver[];
};

/** A member that did not answer. */
export type MissingNode = { nodeId: string; why: string };

/** Current reports of all nodes. */
export interface ClusterReports {
  /** Never throws: nodes that do not answer in time are listed as missing. */
  all(): Promise<{ reports: NodeReport[]; missing: MissingNode[] }>;
}

/** A span of a retained request: its start since that of the request, and its duration, in milliseconds. */
export type RetainedSpan = {
  id: string;
  parent?: string;
  name: string;
  startMs: number;
  ms: number;
  facts: Readonly<Record<string, string | number | boolean>>;
};

/** A finished request with its spans, the request's own first. */
export type RetainedRequest = {
  id: string;
  at: Instant;
  ms: number;
  failed: boolean;
  spans: readonly RetainedSpan[];
};

/** Durations of a stretch of time, of which quantiles are taken. */
export interface Durations {
  record(ms: number): void;
  /** Quantiles in milliseconds since the last call; undefined when nothing was recorded. */
  take(quantiles: readonly number[]): number[] | undefined;
}

/** Answers of nodes to one question, and nodes that did not answer. */
export type Looked<T> = { answers: { nodeId: string; answer: T }[]; missing: MissingNode[] };

/** Questions of operators to all nodes: each answers about itself. Answers are plain data. */
export interface NodeLooks {
  register(name: string, answer: (query: Readonly<Record<string, unknown>>) => unknown): void;
  /** Never throws: nodes that do not answer in time are listed as missing. */
  all<T>(name: string, query?: Readonly<Record<string, unknown>>): Promise<Looked<T>>;
}

/** Figures of the cluster for a node's report; read on every request, so they must be cheap. */
export type ClusterFigures = {
  self: Member;
  view: NodeReport['view'];
  shards: readonly number[];
  /** Count since the start, and the newest of them. */
  takeOvers: { count: number; recent: readonly TakeOver[] };
  links: LinkFigures;
  /** Nodes with a lease that this node's Redis does not name. */
  redisMissing: number;
};

/** The part of the cluster that gateways see. */
export type ClusterPart = {
  figures(): ClusterFigures;
  /** Collects the reports of all members; `own` is this node's, which others get over the node link. */
  gather(own: () => Promise<NodeReport>): ClusterReports;
};

/** A call could not be sent, or its connection broke. */
export class LinkLost extends Error {
  /** Whether the other node may have started it. */
  readonly mayHaveRun: boolean;

  constructor(member: Member, why: string, mayHaveRun: boolean) {
    super(`node ${member.nodeId} at ${member.host}:${member.port}: ${why}`);
    this.name = 'LinkLost';
    this.mayHaveRun = mayHaveRun;
  }
}

/** The called node does not own the property; its view has this version. */
export class NotOwner extends Error {
  readonly viewVersion: number;
  /** The node where it is resident, if known. */
  readonly holder: Member | undefined;

  constructor(viewVersion: number, holder?: Member) {
    super('the node does not own the property');
    this.name = 'NotOwner';
    this.viewVersion = viewVersion;
    this.holder = holder;
  }
}

/** Calls between nodes about properties. Each call completes with an answer, a domain error, or {@link LinkLost}. */
export interface NodeLinks {
  /** @throws DomainError of the owner, NotOwner, LinkLost */
  execute(member: Member, to: Address, envelope: Envelope & { command: Command }): Promise<Reply<unknown>>;
  /** Follows a property at its owner. @throws as `execute` */
  follow(member: Member, to: Address, from: FollowFrom | undefined, listener: LiveListener): Promise<LiveFeed>;
  /**
   * Requests the release of a property. A resident property is not released: its node serves it until it moves.
   * @returns whether it was released
   * @throws LinkLost
   */
  release(member: Member, to: Address): Promise<boolean>;
  /** Has the node activate a property that was moved to it; resolves when it is resident. @throws LinkLost */
  takeOver(member: Member, to: Address): Promise<void>;
  /** Has the node check a tenant's rates before their next use. @returns the number of properties @throws LinkLost */
  forgetRates(member: Member, tenantId: TenantId): Promise<number>;
}

/** Caller of a forwarded request, as authenticated by the forwarding node. */
export type Admitted = { caller?: Caller; operator?: { subject: string; requestId: string } };

/** State of a request with regard to forwarding: it may be forwarded as a whole until it has begun on this node. */
export type RequestScope = {
  /** Whether an actor has got one of its commands: the rest is then done from this node. */
  begun: boolean;
  /** Set for a request forwarded by another node, which has admitted it. */
  admitted?: Admitted;
  /** Whether it may be forwarded once more: the forwarding node cannot reach the owner itself. */
  relay?: boolean;
  /** The owner, found out on the way. */
  holder?: Member;
};

/** The scope of the current request. */
export interface RequestScopes {
  current(): RequestScope | undefined;
  run<T>(scope: RequestScope, work: () => T): T;
}

/**
 * Thrown when a request's property has another owner and nothing was done yet: the receiving node forwards the request
 * as a whole.
 */
export class ForwardRequest extends Error {
  readonly to: Address;
  /** The node where it is resident, if that is not the node of the view. */
  readonly holder: Member | undefined;

  constructor(to: Address, holder?: Member) {
    super('the property lives on another node');
    this.name = 'ForwardRequest';
    this.to = to;
    this.holder = holder;
  }
}

/** A node as the others know it (docs/concepts/cluster.md#placement). */
export type Member = {
  nodeId: string;
  /** Different after each start: distinguishes incarnations of a node. */
  incarnation: string;
  /** Address for other nodes. */
  host: string;
  port: number;
  role: NodeRole;
  /** Version of the node RPC; nodes of different versions cannot be in one cluster. */
  protocol: number;
  /** Version of the program, informational. */
  build: string;
  /** Milliseconds since 1970, by its machine, or by the database where only its lease is known: informational. */
  startedAt: Instant;
};

/** The members under a version that grows with every change. */
export type ClusterView = { version: number; members: readonly Member[] };

/** This node's view of owners. A hint: PostgreSQL decides, and a wrong hint costs a hop. */
export interface Placement {
  readonly self: Member;
  readonly view: ClusterView;
  /** The node that has the property's shard; `undefined` when no node has actors. */
  ownerOf(to: Address): Member | undefined;
  /** A member of the view. */
  member(nodeId: string): Member | undefined;
  /** A node by its lease in PostgreSQL: an owner may be in no view. */
  lookUp(nodeId: string): Promise<Member | undefined>;
  /** Reloads the members, unless at least this version is known; never throws, and takes a second at most. */
  refresh(atLeast?: number): Promise<void>;
  /** Reports a failed call: PostgreSQL checks whether the node is dead, and a dead one leaves the view. */
  suspect(member: Member): void;
  /** Called with each new view once it is applied. */
  onChange(listener: (view: ClusterView) => void): void;
}

/** The other members of a view. */
export function othersOf({ view, self }: Pick<Placement, 'view' | 'self'>): Member[] {
  return view.members.filter(({ nodeId }) => nodeId !== self.nodeId);
}

/** Count of a key in its window, and when the window ends. */
export type Standing = { used: number; resetMs: number };

/** Counts by key. The window of a key starts with its first count and has a fixed length. Nobody waits for a count. */
export interface RequestCounter {
  /** Counts so many more, one by default. @returns the count of the key */
  count(key: string, times?: number): Standing;
  /** The count of a key. */
  standing(key: string): Standing;
}

/** Creates a counter; counters of one name are shared wherever counts are shared. */
export type RequestCounters = (name: string, seconds: number) => RequestCounter;
