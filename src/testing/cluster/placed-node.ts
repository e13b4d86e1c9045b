import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';

import type { NodeRole } from '../../kernel/rules/placement.ts';
import { ClusterPlacement } from '../../platform/coordination/cluster-placement.ts';
import { Lease } from '../../platform/coordination/lease.ts';
import type { ClusterView, Member } from '../../platform/coordination/ports.ts';
import { Redis } from '../../platform/coordination/redis.ts';
import { connect } from '../../platform/database/connection.ts';
import { ReconnectingClient } from '../../platform/database/reconnecting-client.ts';
import { NOW } from '../property-world.ts';
import { Line } from './line.ts';

/** A log that records its messages. */
export function recordedLog(): { said: string[]; log: Record<'debug' | 'info' | 'warn' | 'error', () => void> } {
  const said: string[] = [];
  const keep = (...[, message]: unknown[]): void => void said.push(String(message));
  return { said, log: { debug: () => {}, info: keep, warn: keep, error: keep } };
}

/** Callbacks of a lease that no test observes. */
export const unheard = { renewed: () => {}, lost: () => {} };

/** One node of a cluster: a lease of its own, a connection to Redis, and its placement. */
export class PlacedNode implements AsyncDisposable {
  placement!: ClusterPlacement;
  line!: Line;
  redis!: Redis;
  lease!: Lease;
  leaseClient!: Client;
  readonly said: string[];
  readonly views: ClusterView[] = [];
  /** False before joining and while draining: the node has a lease and is no member. */
  isJoined = true;
  #isStill = false;
  readonly #log;
  readonly #system: ReconnectingClient;
  readonly member: Member;

  constructor(databaseUrl: string, nodeId: string, more: Partial<Member> = {}) {
    this.#system = new ReconnectingClient(() => connect(databaseUrl, 'innkeeper_system'));
    ({ said: this.said, log: this.#log } = recordedLog());
    const role: NodeRole = 'all';
    this.member = {
      nodeId,
      incarnation: randomUUID(),
      host: '127.0.0.1',
      port: 9_000,
      role,
      protocol: 1,
      build: '1.0.0',
      startedAt: 1,
      ...more,
    };
  }

  /** @param how `cut` from Redis from the beginning */
  async start({ redis, database, cluster }: PlacedWorld, how?: 'cut'): Promise<this> {
    const { nodeId, incarnation, host, port, role, build } = this.member;
    this.leaseClient = await connect(database, 'innkeeper_system');
    const row = { nodeId, incarnation, address: `${host}:${port}`, role, build };
    this.lease = await Lease.take({ node: row, client: this.leaseClient, ...unheard });
    const { line, url } = await Line.to(redis);
    this.line = line;
    if (how === 'cut') line.cut();
    this.redis = await Redis.open(url, this.#log);
    this.placement = await ClusterPlacement.open({
      redis: this.redis.client,
      self: this.member,
      clock: { now: () => NOW },
      log: this.#log,
      cluster,
      // A blocked main thread: its calls are never answered.
      system: () => (this.#isStill ? new Promise<Client>(() => {}) : this.#system.client()),
      held: () => this.isJoined && this.lease.held,
    });
    this.placement.onChange((view) => this.views.push(view));
    return this;
  }

  /** Blocks its main thread; its lease is still renewed. */
  standStill(): void {
    this.line.isStuck = true;
    this.#isStill = true;
  }

  /** Ends as after kill -9: without notice, and with its connection gone. */
  async kill(): Promise<void> {
    this.line.isStuck = true;
    await this.leaseClient.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStill = false;
    await this.placement?.[Symbol.asyncDispose]();
    await this.redis?.[Symbol.asyncDispose]();
    await this.line?.[Symbol.asyncDispose]();
    await this.lease?.[Symbol.asyncDispose]();
    await this.#system[Symbol.asyncDispose]();
  }
}

/** Addresses that nodes share. */
type PlacedWorld = { redis: string; database: string; cluster: string };
