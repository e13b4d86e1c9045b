import { type Address, addressKey } from '../../src/kernel/rules/caller.ts';
import { DAY } from '../../src/testing/property-world.ts';
import { hash } from '../lanes.ts';
import { SimulatedDatabase } from './database.ts';
import { SimulatedNode } from './node.ts';
import { NODES } from './scenario/scenario.ts';
import type { SimulatedWorld } from './world.ts';

/** Interval of random faults of nodes, time and database. */
const MISCHIEF_MS = 20;

/** Nodes, one database, and the directory through which clients find owners. */
export class Cluster {
  readonly database: SimulatedDatabase;
  readonly nodes: SimulatedNode[];
  readonly world: SimulatedWorld;
  readonly #poisoned = new Set<string>();
  #routed = 0;

  constructor(world: SimulatedWorld) {
    this.world = world;
    this.database = new SimulatedDatabase(world, { now: () => world.time.now });
    this.database.store.poison = ({ changes }) => changes.reservations.some(({ id }) => this.#poisoned.has(id));
    this.nodes = Array.from({ length: NODES }, (_, n) => new SimulatedNode(`node-${n}`, world, this.database));
  }

  /** The owner by the directory, a hint that is wrong now and then. */
  route(to: Address): SimulatedNode {
    const { faults, random } = this.world;
    if (faults.fires('misrouted')) return random.pick(this.nodes);
    this.#routed += 1;
    // Requests arrive at one node after the other. One that Redis cannot reach forwards by the members it knew last.
    const members = this.nodes[this.#routed % NODES]!.lastMembers ?? this.members();
    const start = hash(addressKey(to)) % NODES;
    const order = this.nodes.map((_, n) => this.nodes[(start + n) % NODES]!);
    return order.find((node) => members.includes(node)) ?? order[0]!;
  }

  /** Nodes that the others know. */
  members(): SimulatedNode[] {
    return this.nodes.filter((node) => node.alive && node.isSeen);
  }

  /** Has the database refuse the reservation's row. */
  poison(reservationId: string): void {
    this.#poisoned.add(reservationId);
  }

  /** Injects faults until everything heals. */
  makeMischief(properties: readonly Address[]): void {
    const { faults, random, time } = this.world;
    if (faults.healed) return;
    for (const node of this.nodes) {
      if (faults.fires('crash', node.name)) node.crash();
      if (faults.fires('pause', node.name)) node.pause(random.between(5_500, 8_000));
      if (faults.fires('clock-skew', node.name)) node.setClockWrong(random.between(-40, 40));
    }
    if (faults.fires('store-away')) this.database.failOver(random.between(200, 3_000));
    if (faults.fires('foreign-rates')) {
      const day = DAY + random.between(5, 9);
      this.database.changeRate(
        random.pick(properties),
        random.pick(['STD', 'DLX']),
        day,
        random.between(1, 900) * 100,
      );
    }
    if (faults.fires('clock-jump')) time.jump(random.pick([1_000, 30_000, 121_000, 901_000]));
    time.after(MISCHIEF_MS, () => this.makeMischief(properties));
  }
}
