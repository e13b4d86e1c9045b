import { randomUUID } from 'node:crypto';

import { Directory } from '../../../actors/cluster/directory.ts';
import { Host } from '../../../actors/host.ts';
import { NODE_PROTOCOL } from '../../../gateways/nodes/node-call.ts';
import type { NodeRpc } from '../../../gateways/nodes/node-rpc.ts';
import { type NodeServer, startNodeServer } from '../../../gateways/nodes/node-server.ts';
import { TcpLinks } from '../../../gateways/nodes/tcp-links.ts';
import type { Member } from '../../platform/coordination/ports.ts';
import { AsyncRequestScopes } from '../../platform/coordination/request-scopes.ts';
import { createLog } from '../../platform/telemetry/telemetry.ts';
import type { PropertyStore } from '../../property-store/ports.ts';
import { quiet } from '../actors/running-host.ts';
import { GivenPlacement } from '../cluster/given-placement.ts';
import { FakeClock } from '../fake-clock.ts';
import { FakeStore } from '../fake-store.ts';
import { freePorts } from '../launch/free-ports.ts';

const SECRET = 'secret of these nodes';

/** A view of the store for one node: `take`, `open` and `release` depend on the caller. */
function storeOf(store: FakeStore, nodeId: string): PropertyStore {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'take') return (to: Parameters<FakeStore['take']>[0]) => target.take(to, nodeId);
      if (name === 'open')
        return (to: Parameters<FakeStore['open']>[0], mustExist: boolean) => target.open(to, mustExist, nodeId);
      if (name === 'release') return (of: Parameters<FakeStore['release']>[0]) => target.release(of, nodeId);
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

/** A node over a shared store: real actors, real TCP, and a view that the test gives. */
export class TestNode {
  readonly requestScopes = new AsyncRequestScopes();
  readonly placement: GivenPlacement;
  readonly host: Host;
  readonly links: TcpLinks;
  readonly directory: Directory;
  readonly nodeRpc: NodeRpc;
  /** Commands and requests that other nodes have brought here. */
  requests = 0;
  readonly #server: NodeServer;

  private constructor(self: Member, store: FakeStore, clock: FakeClock, secret: string, server: Started) {
    this.placement = server.placement;
    this.nodeRpc = server.nodeRpc;
    this.#server = server.server;
    store.alive.add(self.nodeId);
    const own = storeOf(store, self.nodeId);
    this.host = new Host({ store: own, clock, log: quiet, lanes: 2, mayOwn: () => true });
    this.links = new TcpLinks({ placement: this.placement, secret, clock, log: quiet });
    const { host, links, placement, requestScopes } = this;
    this.directory = new Directory({ host, links, placement, requestScopes, log: quiet });
    const { directory } = this;
    this.nodeRpc.properties = {
      executeHere: (...of) => {
        this.requests += 1;
        return directory.executeHere(...of);
      },
      followHere: (...of) => directory.followHere(...of),
      mustOwn: (...of) => directory.mustOwn(...of),
      isMine: (to) => directory.isMine(to),
      release: (to) => directory.release(to),
      activate: (to) => directory.activate(to),
      forgetRates: (tenantId) => host.forgetRates(tenantId),
    };
  }

  static async start(nodeId: string, store: FakeStore, clock: FakeClock, secret = SECRET): Promise<TestNode> {
    const [port] = (await freePorts(1)) as [number];
    const self: Member = {
      nodeId,
      incarnation: randomUUID(),
      host: '127.0.0.1',
      port,
      role: 'all',
      protocol: NODE_PROTOCOL,
      build: 'test',
      startedAt: 0,
    };
    const placement = new GivenPlacement(self);
    const nodeRpc: NodeRpc = { secret, placement, clock, log: quiet };
    const server = await startNodeServer(nodeRpc, {
      host: self.host,
      port,
      log: createLog({ level: 'silent', name: 'test' }),
    });
    return new TestNode(self, store, clock, secret, { placement, nodeRpc, server });
  }

  /** Closes its port, and cuts its connections. */
  async unplug(): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }

  async end(): Promise<void> {
    this.links[Symbol.dispose]();
    await this.#server[Symbol.asyncDispose]();
    await this.host[Symbol.asyncDispose]();
  }
}

type Started = { placement: GivenPlacement; nodeRpc: NodeRpc; server: NodeServer };

/** Two nodes that know each other. */
export class TwoNodes {
  readonly clock = new FakeClock();
  readonly store = new FakeStore(this.clock);
  a!: TestNode;
  b!: TestNode;
  #version = 0;

  static async start(t: { teardown(handler: () => Promise<void>): unknown }): Promise<TwoNodes> {
    const both = new TwoNodes();
    both.a = await TestNode.start('node-a', both.store, both.clock);
    both.b = await TestNode.start('node-b', both.store, both.clock);
    both.members(both.a, both.b);
    t.teardown(async () => {
      await both.a.end();
      await both.b.end();
    });
    return both;
  }

  /** Sets the members, and updates all views. */
  members(...nodes: TestNode[]): void {
    const view = { version: ++this.#version, members: nodes.map(({ placement }) => placement.self) };
    for (const { placement } of [this.a, this.b]) placement.give(view);
  }
}
