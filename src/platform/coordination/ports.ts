import type { RelayFigures } from '../../events/ports.ts';
import type { BreakerState, HealthState } from '../../kernel/ports.ts';
import type { FollowFrom, LiveFeed, LiveListener } from '../../kernel/property-actors.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { Command, Envelope, Reply } from '../../kernel/rules/commands.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import type { NodeRole } from '../../kernel/rules/placement.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';

/** A node that took over from another one, and why that one had lost its right. */
export type TakeOver = { nodeId: string; at: Instant; why: string };

/** Calls to other nodes since the start, and those that found nobody or were cut off. */
export type LinkFigures = { calls: number; failures: number };

/**
 * A regular round of a node: how long ago it last ran or got on, how often it is to run, and whether that is too
 * long.
 */
type RoundReport = { name: string; ageSeconds: number; everyMs: number; late: boolean };

/** Report of a node to operators: figures and states, nothing of a tenant. */
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
  /** State of the partner's circuit breaker on this node, where it has one. */
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

/** Current reports of all nodes. */
export interface ClusterReports {
  /** Never throws: who does not answer in time is missing. */
  all(): Promise<{ reports: NodeReport[]; missing: MissingNode[] }>;
}

/** What the cluster adds to a node's report; read at every request, so it must cost next to nothing. */
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

/** The call found nobody, or was cut off. */
export class LinkLost extends Error {
  /** Whether the other node may have begun with it. */
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
  /** Who has it in memory, where that is known. */
  readonly holder: Member | undefined;

  constructor(viewVersion: number, holder?: Member) {
    super('the node does not own the property');
    this.name = 'NotOwner';
    this.viewVersion = viewVersion;
    this.holder = holder;
  }
}

/** Calls between nodes about properties. Each call ends: with an answer, a domain error, or {@link LinkLost}. */
export interface NodeLinks {
  /** @throws DomainError of the owner, NotOwner, LinkLost */
  execute(member: Member, to: Address, envelope: Envelope & { command: Command }): Promise<Reply<unknown>>;
  /** Follows a property at its owner. @throws as `execute` */
  follow(member: Member, to: Address, from: FollowFrom | undefined, listener: LiveListener): Promise<LiveFeed>;
  /**
   * Requests the release of a property, unless it is resident there: then that node serves it until it moves.
   * @returns whether it was released @throws LinkLost
   */
  release(member: Member, to: Address): Promise<boolean>;
  /** Has the node activate a property that was moved to it; answers when it is resident. @throws LinkLost */
  takeOver(member: Member, to: Address): Promise<void>;
  /** What the node remembers of a tenant's rates is believed no more. @returns how many properties @throws LinkLost */
  forgetRates(member: Member, tenantId: TenantId): Promise<number>;
}

/** What another node has found out about a request that it hands on. */
export type Admitted = { caller?: Caller; operator?: { subject: string; requestId: string } };

/** What a request may still do: go whole to another node, as long as nothing of it has been done here. */
export type RequestScope = {
  /** Whether a command of it was given to an actor: what it is about to do is then done from here. */
  begun: boolean;
  /** It came from another node, which has let it in. */
  admitted?: Admitted;
  /** Whether it may go on to a further node: the one it came from cannot reach the owner itself. */
  relay?: boolean;
  /** Who has the property, found out on the way. */
  holder?: Member;
};

/** The request that the present work belongs to. */
export interface RequestScopes {
  current(): RequestScope | undefined;
  run<T>(scope: RequestScope, work: () => T): T;
}

/**
 * A request's property has another owner, and nothing was done yet: the receiving node forwards the request as a
 * whole.
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
  /** Another one after each start: distinguishes a node from its earlier incarnations. */
  incarnation: string;
  /** Where other nodes reach it. */
  host: string;
  port: number;
  role: NodeRole;
  /** Version of what nodes say to each other; nodes of different protocols cannot be in one cluster. */
  protocol: number;
  /** Version of the program, for people. */
  build: string;
  /** Milliseconds since 1970, by its machine, or by the database where only its lease is known: informational. */
  startedAt: number;
};

/** Who is there, as of a number that grows with every change. */
export type ClusterView = { version: number; members: readonly Member[] };

/** This node's view of owners. A hint: the truth is in PostgreSQL, and a wrong one costs a hop. */
export interface Placement {
  readonly self: Member;
  readonly view: ClusterView;
  /** The node whose shard the property is in; `undefined` when no node has actors. */
  ownerOf(to: Address): Member | undefined;
  /** A member of the view. */
  member(nodeId: string): Member | undefined;
  /** A node that may be in no view, by its lease in PostgreSQL: who has a property and is known to nobody else. */
  lookUp(nodeId: string): Promise<Member | undefined>;
  /** Reloads the members, unless at least this version is known; never throws, and takes a second at most. */
  refresh(atLeast?: number): Promise<void>;
  /** A call to it failed: PostgreSQL is checked for its death, and if it is dead the view drops it. */
  suspect(member: Member): void;
  /** Called with each new view, after it holds. */
  onChange(listener: (view: ClusterView) => void): void;
}

/** The members of a view beside this node. */
export function othersOf({ view, self }: Pick<Placement, 'view' | 'self'>): Member[] {
  return view.members.filter(({ nodeId }) => nodeId !== self.nodeId);
}

/** Where a key stands in its window: how often it came, and when its count begins anew. */
export type Standing = { used: number; resetMs: number };

/** Counts by key how often something comes. The window of a key begins with its first and lasts a fixed time. */
export interface RequestCounter {
  /** Counts one more. @returns where the key stands with it */
  count(key: string): Promise<Standing>;
  /** Where the key stands; counts nothing. */
  standing(key: string): Promise<Standing>;
}

/** Makes a counter; counters of one name are the same one wherever counts are shared. */
export type RequestCounters = (name: string, seconds: number) => RequestCounter;
