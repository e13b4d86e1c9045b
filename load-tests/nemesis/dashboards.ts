import { io } from 'socket.io-client';
import { WebSocket } from 'ws';

import { type Connect, overWebSocket } from '../../packages/client/src/live/live-transports.ts';
import { until } from '../../src/platform/launch/process/until.mjs';
import { overSocketIo } from '../../src/testing/live/socket-io-transport.ts';
import type { ClusterWorld } from '../cluster/cluster-world.ts';
import { dayOf, type SmallProperty } from '../cluster/properties.ts';
import type { SwarmOptions } from '../live/swarm.ts';
import { Witness } from '../live/witness.ts';

const DAYS = 60;
const LIVE_WITHIN_MS = 60_000;
const SAME_WITHIN_MS = 30_000;

type Transport = 'ws' | 'socket.io';
type Dashboard = { property: SmallProperty; transport: Transport; witness: Witness };

export type DashboardReport = {
  dashboards: number;
  differing: string[];
  repeated: number;
  missing: number;
  gaps: number;
  snapshots: number;
  reconnects: number;
  problems: string[];
};

/** Two dashboards per property, one over each transport, which connect to the next node after each loss. */
export class Dashboards implements Disposable {
  readonly #world: ClusterWorld;
  readonly #all: Dashboard[];
  #turn = 0;

  constructor(world: ClusterWorld, properties: readonly SmallProperty[]) {
    this.#world = world;
    this.#all = properties.flatMap((property) =>
      (['ws', 'socket.io'] as const).map((transport) => ({
        property,
        transport,
        witness: new Witness(this.#optionsOf(property), this.#roaming(transport)),
      })),
    );
  }

  /** @throws Error when one of them does not reach the present */
  async live(): Promise<void> {
    if (!(await until(() => this.#all.every(({ witness }) => witness.isLive), LIVE_WITHIN_MS)))
      throw new Error('dashboards do not come to show the present');
  }

  /** Compares each with a fresh snapshot from each node, and its feed with what was booked. */
  async compare(booked: ReadonlyMap<string, readonly string[]>): Promise<DashboardReport> {
    const differing = (await Promise.all(this.#all.map((one) => this.#differences(one)))).flat();
    const seen = this.#all.map(({ property, witness }) => witness.published(booked.get(property.propertyId) ?? []));
    const repeated = seen.reduce((so, one) => so + one.repeated, 0);
    const missing = seen.reduce((so, one) => so + one.missing, 0);
    const sum = (of: (one: Witness) => number): number => this.#all.reduce((so, { witness }) => so + of(witness), 0);
    return {
      dashboards: this.#all.length,
      differing,
      repeated,
      missing,
      gaps: sum((one) => one.gaps),
      snapshots: sum((one) => one.snapshots - 1),
      reconnects: sum((one) => one.reconnects),
      problems: this.#all.flatMap(({ witness }) => witness.problems),
    };
  }

  /** Differences of a dashboard from a fresh one of each node. */
  async #differences({ property, transport, witness }: Dashboard): Promise<string[]> {
    const what = `${property.propertyId} over ${transport}`;
    const all = this.#world.nodes.map(async (node) => {
      const fresh = new Witness(this.#optionsOf(property), connectTo(node.url('LIVE'), 'ws'));
      const both = (): boolean => fresh.isLive && witness.isLive && fresh.seq === witness.seq;
      const isSame = await until(both, SAME_WITHIN_MS);
      const wrong = isSame ? witness.difference(fresh.content()) : [`at ${witness.seq}, a fresh one at ${fresh.seq}`];
      fresh.close();
      return wrong.map((one) => `${what}, ${node.name}: ${one}`);
    });
    return (await Promise.all(all)).flat();
  }

  [Symbol.dispose](): void {
    for (const { witness } of this.#all) witness.close();
  }

  #optionsOf(property: SmallProperty): SwarmOptions {
    return {
      liveUrl: '',
      token: this.#world.token('MANAGER'),
      tenantId: this.#world.tenantId,
      plain: 0,
      socketIo: 0,
      wanted: {
        propertyId: property.propertyId,
        topics: ['grid', 'feed', 'kpi', 'rooms'],
        window: { start: dayOf(property, 0), days: DAYS },
      },
    };
  }

  /** Each connection goes to the next node. */
  #roaming(transport: Transport): Connect {
    return (listener) => {
      const { nodes } = this.#world;
      const node = nodes[this.#turn++ % nodes.length]!;
      return connectTo(node.url('LIVE'), transport)(listener);
    };
  }
}

/** Connects to one node, over either transport. */
export function connectTo(liveUrl: string, transport: Transport): Connect {
  const url = `${liveUrl.replace(/^http/, 'ws')}/ws/v1`;
  if (transport === 'ws')
    return overWebSocket(() => new WebSocket(url, { perMessageDeflate: false, handshakeTimeout: 5_000 }));
  const options = { transports: ['websocket'], reconnection: false, forceNew: true, timeout: 5_000 };
  return overSocketIo(() => io(`${liveUrl}/live`, options));
}
