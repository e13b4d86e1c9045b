import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { Directory } from '../../actors/cluster/directory.ts';
import type { Host } from '../../actors/host.ts';
import { NODE_PROTOCOL } from '../../gateways/nodes/node-call.ts';
import type { NodeRpc } from '../../gateways/nodes/node-rpc.ts';
import { startNodeServer } from '../../gateways/nodes/node-server.ts';
import { type NodeCertificates, TcpLinks } from '../../gateways/nodes/tcp-links.ts';
import type { Clock, BackgroundPartition } from '../kernel/ports.ts';
import type { Address } from '../kernel/rules/caller.ts';
import { actorNodes, nodeOf, SHARDS } from '../kernel/rules/placement.ts';
import type { Config } from '../platform/config/config.ts';
import { ClusterPlacement } from '../platform/coordination/cluster-placement.ts';
import type { NodeLease } from '../platform/coordination/node-lease.ts';
import {
  type ClusterPart,
  type ClusterView,
  type Member,
  type MissingNode,
  type NodeReport,
  othersOf,
  type RequestScopes,
} from '../platform/coordination/ports.ts';
import type { Redis } from '../platform/coordination/redis.ts';
import { AsyncRequestScopes } from '../platform/coordination/request-scopes.ts';
import { connect } from '../platform/database/connection.ts';
import type { Connections } from '../platform/database/limited-client.ts';
import { ReconnectingClient } from '../platform/database/reconnecting-client.ts';
import { freePort } from '../platform/launch/process/free-port.mjs';
import type { Loggers } from '../platform/telemetry/telemetry.ts';
import type { AnalysisCache } from '../revenue/operations/analysis-cache.ts';
import type { TenantChanges } from '../tenants/operations/tenant-changes.ts';

/** Time limits of queries about other nodes. */
const WATCHING = { settings: { statement_timeout: '3000' }, answerWithinMs: 4_000 };

/** Parts of a cluster node (docs/concepts/cluster.md#cluster). */
export type Clustered = {
  directory: Directory;
  placement: ClusterPlacement;
  links: TcpLinks;
  requestScopes: RequestScopes;
  /** Handlers for calls of other nodes; gateways add requests and reports. */
  nodeRpc: NodeRpc;
  part: ClusterPart;
  /** Whether unowned properties are assigned to this node. */
  takes(to: Address): boolean;
  /** Publishes this node's changes of tenants to all nodes, and applies theirs. */
  spread(changes: TenantChanges): void;
  /** Called after the development clock was moved: resolves when all nodes have run what fell due. */
  moveClock(): Promise<void>;
  /** Adds this node to the view of all. */
  join(): Promise<void>;
  /** Removes this node from every view, and releases all its properties. */
  leave(): Promise<void>;
};

type ClusterParts = {
  config: Config;
  databaseUrl: string;
  connections: Connections;
  self: Member;
  redis: Redis | undefined;
  lease: NodeLease;
  host: Host;
  analyses: AnalysisCache;
  clock: Clock;
  loggers: Loggers;
};

/** This node's entry for others. @param port of its link */
export function ownMember(config: Config, build: string, port: number): Omit<Member, 'nodeId'> {
  const { NODE_HOST, NODE_ADVERTISE, NODE_ROLE: role } = config;
  const [host = '', advertised] = (NODE_ADVERTISE ?? `${NODE_HOST ?? '127.0.0.1'}:${port}`).split(':');
  return {
    incarnation: randomUUID(),
    host,
    port: Number(advertised),
    role,
    protocol: NODE_PROTOCOL,
    build,
    startedAt: Date.now(),
  };
}

/** The port of this node's link: a free one by default. */
export async function linkPort({ NODE_PORT: given, CLUSTER_SECRET: secret }: Config): Promise<number> {
  if (given !== 0 || secret === undefined) return given;
  return freePort();
}

/**
 * Opens the cluster, where a Redis and a secret are configured. The node is in no view before `join`.
 * @throws Error in one clear line
 */
export async function openCluster(
  stack: AsyncDisposableStack,
  { config, databaseUrl, connections, self, redis, lease, host, analyses, clock, loggers }: ClusterParts,
): Promise<Clustered | undefined> {
  const log = loggers.of('cluster');
  const { CLUSTER_SECRET: secret } = config;
  if (!redis || secret === undefined) return undefined;
  let joined = false;
  const held = (): boolean => joined && lease.held;
  // A separate connection: the check for living nodes must not wait behind a slow query.
  const watching = stack.use(
    new ReconnectingClient(() =>
      connect(databaseUrl, 'innkeeper_system', { ...WATCHING, Client: connections.Client }),
    ),
  );
  const placement = stack.use(
    await ClusterPlacement.open({ redis: redis.client, system: () => watching.client(), self, held, clock, log }),
  );
  const tls = tlsOf(config);
  const links = stack.use(new TcpLinks({ placement, secret, clock, log, ...(tls && { tls }) }));
  const requestScopes = new AsyncRequestScopes();
  const directory = new Directory({ host, placement, links, requestScopes, log });
  const nodeRpc: NodeRpc = { secret, placement, clock, log };
  const port = config.NODE_ADVERTISE ? config.NODE_PORT : self.port;
  const bound = { host: config.NODE_HOST ?? '127.0.0.1', port, log: loggers.root, ...(tls && { tls }) };
  stack.use(await startNodeServer(nodeRpc, bound));
  nodeRpc.properties = {
    executeHere: (...of) => directory.executeHere(...of),
    followHere: (...of) => directory.followHere(...of),
    mustOwn: (...of) => directory.mustOwn(...of),
    isMine: (to) => directory.isMine(to),
    release: (to) => directory.release(to),
    activate: (to) => directory.activate(to),
    forgetRates: async (tenantId) => analyses.forget(tenantId) + (await host.forgetRates(tenantId)),
  };
  return {
    directory,
    placement,
    links,
    requestScopes,
    nodeRpc,
    part: partOf(placement, links),
    takes: (to) => placement.ownerOf(to)?.nodeId === self.nodeId,
    spread: (changes) => spreadChanges(changes, { placement, links, nodeRpc }),
    async moveClock() {
      await Promise.all(othersOf(placement).map((member) => links.clockMoved(member).catch(() => undefined)));
    },
    async join() {
      await links.introduce();
      joined = true;
      await placement.refresh();
    },
    async leave() {
      // This node's own view changes at once; an unavailable Redis delays nothing.
      await Promise.all([placement.leave(), directory.leave()]);
    },
  };
}

/**
 * A node that is not reached applies the change when its cache expires: half a minute later
 * (docs/concepts/tenants-and-roles.md#who-somebody-is-and-what-they-may-do).
 */
function spreadChanges(
  changes: TenantChanges,
  { placement, links, nodeRpc }: Pick<Clustered, 'placement' | 'links' | 'nodeRpc'>,
): void {
  let isOpen = false;
  for (const what of ['changed', 'configured'] as const)
    changes.on(what, (tenantId) => {
      if (isOpen) return;
      for (const member of othersOf(placement)) links.tenantChanged(member, what, tenantId).catch(() => undefined);
    });
  nodeRpc.tenantChanged = (what, tenantId) => {
    isOpen = true;
    changes.emit(what, tenantId);
    isOpen = false;
  };
}

function partOf(placement: ClusterPlacement, links: TcpLinks): ClusterPart {
  return {
    figures() {
      const { view, self } = placement;
      const { takeOvers: recent, deaths: count } = placement.figures;
      return {
        self,
        view: { version: view.version, members: view.members.length },
        shards: shardsOf(placement),
        takeOvers: { count, recent },
        links: links.figures,
        redisMissing: placement.redisMissing.length,
      };
    },
    gather: (own) => ({ all: () => gathered(placement, links, own) }),
  };
}

/** Cached by view: reports may be requested every second. */
const shardsKnown = new WeakMap<ClusterView, number[]>();

function shardsOf({ view, self }: ClusterPlacement): readonly number[] {
  const known = shardsKnown.get(view);
  if (known) return known;
  const owners = actorNodes(view.members);
  const shards = [...Array(SHARDS).keys()].filter((shard) => nodeOf(shard, owners) === self.nodeId);
  shardsKnown.set(view, shards);
  return shards;
}

/** Queries all nodes at once; those without an answer are named. */
async function gathered(
  placement: ClusterPlacement,
  links: TcpLinks,
  own: () => Promise<NodeReport>,
): Promise<{ reports: NodeReport[]; missing: MissingNode[] }> {
  const missing: MissingNode[] = [];
  const reports = othersOf(placement).map(async (member) => {
    try {
      return [(await links.report(member)) as NodeReport];
    } catch (error) {
      missing.push({ nodeId: member.nodeId, why: error instanceof Error ? error.message : String(error) });
      return [];
    }
  });
  const [mine, ...theirs] = await Promise.all([own(), ...reports]);
  return { reports: [mine, ...theirs.flat()], missing };
}

/** Both sides show a certificate of the same authority, where CLUSTER_TLS_* are given. */
function tlsOf(config: Config): NodeCertificates | undefined {
  const { CLUSTER_TLS_CERT: cert, CLUSTER_TLS_KEY: key, CLUSTER_TLS_CA: ca } = config;
  if (!cert || !key || !ca) return undefined;
  const [certText, keyText, caText] = [cert, key, ca].map((file) => readFileSync(file));
  return { cert: certText!, key: keyText!, ca: caText! };
}

/** This node's share of background work: everything, until a cluster is opened. */
export class NodePartition implements BackgroundPartition {
  readonly nodeId: string;
  #cluster: Pick<Clustered, 'takes'> | undefined;

  constructor(nodeId: string) {
    this.nodeId = nodeId;
  }

  follow(cluster: Pick<Clustered, 'takes'>): void {
    this.#cluster = cluster;
  }

  /** Bound: SQL helpers call it detached. */
  readonly takes = (to: Address): boolean => this.#cluster?.takes(to) ?? true;
}
